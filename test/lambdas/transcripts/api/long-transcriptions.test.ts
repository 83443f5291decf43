/**
 * A transcription with the words of ten hours. It exceeds the size of one answer, unless the answer is compressed or
 * paged.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import { REPLY_LIMIT_BYTES } from '../../../../platform/kernel/representation.ts';
import type { Answer } from '../../../support/api.ts';
import { startTestApi } from '../../../support/test-api.ts';

const WORDS = 90_000;
const WORDS_A_SEGMENT = 10;
const segmentCount = WORDS / WORDS_A_SEGMENT;
/** Each segment lasts one second. */
const lastSecond = '02:29:59';
const gzip = { 'accept-encoding': 'gzip' };

let path: string;

const api = await startTestApi();
const acme = await api.tenant('acme');

beforeAll(async () => {
  const asset = await acme.readyAsset({ duration_ms: 36_000_000 });
  path = `/v1/assets/${asset}/transcriptions/${await acme.transcribed(asset, texts())}`;
});

/** All words differ, so the text compresses no better than real speech. */
const texts = () =>
  Array.from({ length: segmentCount }, (_, segment) =>
    Array.from({ length: WORDS_A_SEGMENT }, (_, word) =>
      ((segment * WORDS_A_SEGMENT + word) * 2_654_435_761).toString(36).slice(0, 5 + (word % 4)),
    ).join(' '),
  );

const read = (query = '', headers: Record<string, string> = {}) =>
  acme.call('GET', `${path}${query}`, undefined, headers);

describe('a long transcription', () => {
  it('is sent completely to a client that accepts gzip', async () => {
    const answer = await read('', gzip);
    expect(answer.status).toBe(200);
    expect(answer.json.segments).toHaveLength(segmentCount);
    expect(answer.text.length).toBeGreaterThan(REPLY_LIMIT_BYTES);
    expect(answer.replyBytes).toBeLessThan(REPLY_LIMIT_BYTES / 2);
    expect(answer.json).not.toHaveProperty('next_cursor');
  });

  it('is answered with 406 answer_too_large to a client without gzip, with advice on how to read it', async () => {
    const answer = await read();
    expect([answer.status, answer.json.code]).toEqual([406, 'answer_too_large']);
    expect(answer.json.detail).toContain('Accept-Encoding: gzip');
  });

  it('has a stable ETag, for which a GET answers 304 and which If-Match accepts', async () => {
    const { headers, json } = await read('', gzip);
    expect((await read('', { ...gzip, 'if-none-match': headers.ETag! })).status).toBe(304);
    const change = { text: 'Corrected' };
    const place = `${path}/segments/${json.segments[0].segment_id}`;
    const edit = (etag: string) => acme.call('PATCH', place, change, { 'if-match': etag });
    expect((await edit(headers.ETag!)).status).toBe(200);
    expect((await edit(headers.ETag!)).json.code).toBe('precondition_failed');
    expect((await read('', { ...gzip, 'if-none-match': headers.ETag! })).status).toBe(200);
  });

  it('can be read completely without gzip in pages, which are within the limit', async () => {
    const whole = (await read('', gzip)).json.segments;
    const pages = [];
    for (let query: string | null = '?items=1000'; query !== null; ) {
      const page = await read(query);
      expect(page.status).toBe(200);
      expect(page.replyBytes).toBeLessThan(REPLY_LIMIT_BYTES);
      expect(page.headers.Link?.includes('rel="next"')).toBe(page.json.next_cursor !== null);
      pages.push(page.json);
      query = page.json.next_cursor && `?items=1000&cursor=${page.json.next_cursor}`;
    }
    expect(pages.flatMap(({ segments }) => segments)).toEqual(whole);
    expect(pages.map(({ page }) => page)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(pages[0].segment_count).toBe(segmentCount);
  });

  it('has all of its subtitles in one response', async () => {
    for (const kind of ['vtt', 'srt']) {
      const answer = await acme.call('GET', `${path}/${kind}`, undefined, gzip);
      expect([answer.status, answer.headers['Content-Encoding']]).toEqual([200, 'gzip']);
      expect(answer.text).toContain(lastSecond);
      expect(answer.replyBytes).toBeLessThan(REPLY_LIMIT_BYTES / 2);
    }
  });
});

describe('pages of segments', () => {
  let short: string;
  const textsOf = ({ json }: Answer) => json.segments.map(({ text }: { text: string }) => text);
  const page = (query: string) => acme.call('GET', `${short}?${query}`);

  beforeAll(async () => {
    const asset = await acme.readyAsset();
    const id = await acme.transcribed(asset, ['one', 'two', 'three', 'four', 'five']);
    short = `/v1/assets/${asset}/transcriptions/${id}`;
  });

  it('are numbered from 1, with links to the previous and next pages', async () => {
    const second = await page('page=2&items=2');
    expect(textsOf(second)).toEqual(['three', 'four']);
    expect(second.json).toMatchObject({ page: 2, items: 2, segment_count: 5, version: 1 });
    expect(second.headers.Link).toContain(`<${short}?items=2&page=1>; rel="prev"`);
    expect(second.headers.Link).toContain(`cursor=${second.json.next_cursor}>; rel="next"`);
    expect(textsOf(await page('page=3&items=2'))).toEqual(['five']);
    expect((await page('page=3&items=2')).json.next_cursor).toBeNull();
    expect(textsOf(await page('page=4&items=2'))).toEqual([]);
  });

  it('contain 1,000 segments if the request states only the page, and never more', async () => {
    expect((await page('page=1')).json).toMatchObject({ items: 1000, next_cursor: null });
    expect((await page('items=1001')).json.code).toBe('invalid_parameter');
  });

  it('by cursor show the version of the first page, despite later edits', async () => {
    const first = await page('items=3');
    const place = `${short}/segments/${first.json.segments[0].segment_id}`;
    expect((await acme.call('PATCH', place, { text: 'uno' })).status).toBe(200);
    const second = await page(`items=3&cursor=${first.json.next_cursor}`);
    expect(second.json).toMatchObject({ version: 1, page: 2, next_cursor: null });
    expect(second.headers.ETag).toBe(first.headers.ETag);
    expect((await page('items=3')).json.version).toBe(2);
  });

  it('reject cursors of other transcriptions and versions', async () => {
    const { next_cursor: cursor } = (await page('items=1')).json;
    for (const place of [`${path}?cursor=${cursor}`, `${short}?version=1&cursor=${cursor}`]) {
      const answer = await acme.call('GET', place);
      expect([answer.status, answer.json.code]).toEqual([400, 'invalid_cursor']);
    }
  });
});

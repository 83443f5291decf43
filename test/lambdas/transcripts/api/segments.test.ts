import { beforeAll, describe, expect, it } from 'vitest';
import type { AssetId } from '../../../../shared/ids.ts';
import { spanish } from '../../../support/api.ts';
import { startTestApi } from '../../../support/test-api.ts';
import { forgetAnswer } from './interrupted.ts';

const missing = '019a9d2c-7b1e-7c55-9d5a-6f2f0e6c1a11';

let asset: AssetId;

const api = await startTestApi();
const acme = await api.tenant('acme');

beforeAll(async () => {
  asset = await acme.readyAsset();
});

async function transcription(texts = ['welcome to kinora', 'this is a test', 'good bye'], more: object = {}) {
  const id = await acme.transcribed(asset, texts, more);
  const path = `/v1/assets/${asset}/transcriptions/${id}`;
  const read = async () => (await acme.call('GET', path)).json;
  return { id, path, read, segments: (await read()).segments };
}

const edit = (path: string, ...segments: object[]) => acme.call('PATCH', `${path}/segments`, { segments });
const add = (path: string, ...segments: object[]) => acme.call('POST', `${path}/segments`, { segments });

interface Shown {
  readonly text: string;
  readonly speaker: string;
  readonly speaker_id: string;
  readonly timing: string;
  readonly qc: readonly { readonly code: string }[];
}
type Segments = { readonly segments: readonly Shown[] };

const textsOf = ({ segments }: Segments) => segments.map(({ text }) => text);

describe('PATCH …/segments', () => {
  it('edits many segments in one new version, whose number is the ETag, and changes the words and the subtitles', async () => {
    const { path, segments, read } = await transcription();
    expect(segments.map(({ timing }: Shown) => timing)).toEqual(Array(3).fill('automatic'));
    const before = await acme.call('GET', `${path}/vtt`);
    const edits = [
      { id: segments[0].segment_id, text: 'Welcome to Canola!' },
      { id: segments[2].segment_id, text: 'Goodbye.', end_ms: 2900 },
    ];
    const reply = await edit(path, ...edits);
    expect([reply.status, reply.headers.ETag]).toEqual([200, '"2"']);
    expect(reply.json).toMatchObject({
      version: 2,
      segments: [{ text: 'Welcome to Canola!' }, { end_ms: 2900, timing: 'set' }],
    });
    const after = await read();
    expect(after.version).toBe(2);
    expect(textsOf(after)).toEqual(['Welcome to Canola!', 'this is a test', 'Goodbye.']);
    expect(after.segments[0]).toMatchObject({
      confidence: null,
      words: [{ text: 'Welcome' }, { text: 'to', start_ms: 200, confidence: 0.9 }, { confidence: null }],
    });
    const vtt = await acme.call('GET', `${path}/vtt`);
    const srt = await acme.call('GET', `${path}/srt`);
    for (const { text } of [vtt, srt]) expect(text).toMatch(/Welcome to Canola!\n(.|\n)*Goodbye/);
    expect(vtt.headers.ETag).not.toBe(before.headers.ETag);
  });

  it('can extend a segment to the end of the media, with the same lines in VTT and SRT', async () => {
    const short = await acme.readyAsset({ duration_ms: 1400 });
    const id = await acme.transcribed(short, ['I have never seen the whole of it', 'but I was told.']);
    const path = `/v1/assets/${short}/transcriptions/${id}`;
    const [, second] = (await acme.call('GET', path)).json.segments;
    const text = 'who told us of the people that had been at the very end of it';
    expect((await edit(path, { id: second.segment_id, text })).status).toBe(200);
    const vtt = await acme.call('GET', `${path}/vtt?flavor=simplified`);
    const srt = await acme.call('GET', `${path}/srt`);
    const linesOf = (file: string) => file.split('\n').filter((line) => /[a-z]/.test(line));
    expect(linesOf(srt.text)).toEqual(linesOf(vtt.text));
    expect(linesOf(srt.text)).toContain('who told us of the people');
    expect([...srt.text.matchAll(/--> 00:00:(\S+)/g)].at(-1)![1]).toBe('01,400');
  });

  it('accepts segment_id or id', async () => {
    const { path, segments } = await transcription();
    const [{ segment_id }, { segment_id: id }] = segments;
    const both = await edit(path, { segment_id, text: 'a' }, { id, text: 'b' });
    expect(both.json.segments).toMatchObject([
      { segment_id, text: 'a' },
      { segment_id: id, text: 'b' },
    ]);
    expect((await edit(path, { segment_id, id: segment_id, text: 'c' })).status).toBe(200);
  });

  it.each<[string, (id: string, other: string) => object[], string[]]>([
    ['without an id', () => [{ text: 'c', end_ms: 900 }], ['/segments/0/segment_id required']],
    [
      'with two different ids',
      (segment_id, id) => [{ segment_id, id }],
      ['/segments/0/segment_id not_allowed'],
    ],
    [
      'of missing segments and speakers',
      (id) => [
        { id: missing, text: 'x' },
        { id, speaker_id: missing },
      ],
      ['/segments/0/id unknown_reference', '/segments/1/speaker_id unknown_reference'],
    ],
    [
      'of a missing segment_id',
      () => [{ segment_id: missing, text: 'x' }],
      ['/segments/0/segment_id unknown_reference'],
    ],
    [
      'of one segment twice',
      (id) => [id, id.toUpperCase()].map((id) => ({ id, text: 'a' })),
      ['/segments/1/id duplicate'],
    ],
    ['without a change', (id) => [{ id }], ['/segments/0 invalid']],
    ['in an empty list', () => [], ['/segments too_few']],
    ['above 1000', (id) => Array(1001).fill({ id, text: 'a' }), ['/segments too_many']],
    [
      'of which some are invalid',
      (id, other) => [
        { id, start_ms: 5000 },
        { id: other, text: '   ' },
      ],
      ['/segments/0/end_ms too_small', '/segments/1/text too_short'],
    ],
  ])('rejects edits %s, names all errors, and changes nothing', async (_, editsOf, errors) => {
    const { path, segments, read } = await transcription();
    const reply = await edit(path, ...editsOf(segments[0].segment_id, segments[1].segment_id));
    const found = reply.json.errors.map(({ pointer, code }: Record<string, string>) => `${pointer} ${code}`);
    expect([reply.status, found]).toEqual([422, errors]);
    expect(await read()).toMatchObject({ version: 1, segments });
  });

  it('sorts segments by time', async () => {
    const { path, segments, read } = await transcription();
    await edit(path, { id: segments[0].segment_id, start_ms: 10_000, end_ms: 11_000 });
    const after = await read();
    expect(textsOf(after)).toEqual(['this is a test', 'good bye', 'welcome to kinora']);
    expect(after.segments[2].words[0]).toMatchObject({ text: 'welcome', start_ms: 10_000 });
  });

  it('keeps every version readable', async () => {
    const { path, segments } = await transcription();
    for (const text of ['second', 'third']) await edit(path, { id: segments[0].segment_id, text });
    const textAt = async (version: number) =>
      (await acme.call('GET', `${path}?version=${version}`)).json.segments[0].text;
    expect([await textAt(1), await textAt(2), await textAt(3)]).toEqual([
      'welcome to kinora',
      'second',
      'third',
    ]);
    expect((await acme.call('GET', `${path}?version=4`)).json.code).toBe('resource_not_found');
  });

  it('loses none of 24 concurrent updates: each is stored or answered with 409', async () => {
    const { path, segments, read } = await transcription(Array.from({ length: 24 }, (_, at) => `word ${at}`));
    const replies = await Promise.all(
      segments.map(({ segment_id: id }: { segment_id: string }, at: number) =>
        edit(path, { id, text: `edited ${at}` }),
      ),
    );
    const made = replies.filter(({ status }) => status === 200);
    const refused = replies.filter(({ status, json }) => status === 409 && json.code === 'write_conflict');
    expect(made.length + refused.length).toBe(24);
    expect(made.length).toBeGreaterThan(1);
    expect(new Set(made.map(({ json }) => json.version)).size).toBe(made.length);
    const after = await read();
    expect(after.version).toBe(1 + made.length);
    expect(textsOf(after)).toEqual(
      replies.map(({ status }, at) => (status === 200 ? `edited ${at}` : `word ${at}`)),
    );
  });
});

describe('PATCH …/segments/{segment_id}', () => {
  it('edits one segment and returns it, or names an invalid member', async () => {
    const { path, segments } = await transcription();
    const place = `${path}/segments/${segments[1].segment_id}`;
    const reply = await acme.call('PATCH', place, { start_ms: 1200 });
    expect(reply).toMatchObject({
      status: 200,
      json: { start_ms: 1200, timing: 'set' },
      headers: { ETag: '"2"' },
    });
    const refused = await acme.call('PATCH', place, { end_ms: 3 });
    expect(refused.json.errors).toMatchObject([{ pointer: '/end_ms' }]);
  });

  it('stores line ends of any system as line feeds, and tabs as spaces', async () => {
    const { path: base, segments } = await transcription();
    const edited = await acme.call('PATCH', `${base}/segments/${segments[0].segment_id}`, {
      text: '- Is it you?\r\n- It\tis.\r\n',
    });
    expect([edited.status, edited.json.text]).toEqual([200, '- Is it you?\n- It is.']);
    const [added] = (
      await add(base, { text: 'One\rtwo\u2028three', start_ms: 4000, end_ms: 4500, speaker: 'Ana' })
    ).json.segments;
    expect(added.text).toBe('One\ntwo\nthree');
    const refused = await acme.call('PATCH', `${base}/segments/${added.segment_id}`, { text: 'a\u0000b' });
    expect([refused.status, refused.json.errors[0].pointer]).toEqual([422, '/text']);
  });
});

it('times after the end of the media are rejected', async () => {
  const { path, segments } = await transcription();
  const place = `${path}/segments/${segments[2].segment_id}`;
  expect((await acme.call('PATCH', place, { end_ms: 60_000 })).status).toBe(200);
  const edited = await acme.call('PATCH', place, { end_ms: 60_001 });
  const added = await add(path, { text: 'Too late', start_ms: 59_000, end_ms: 61_000, speaker: 'Ana' });
  expect([edited.status, edited.json.errors]).toMatchObject([
    422,
    [{ pointer: '/end_ms', code: 'too_large' }],
  ]);
  const [error] = added.json.errors;
  expect([added.status, error.pointer, error.code]).toEqual([422, '/segments/0/end_ms', 'too_large']);
});

describe('POST …/segments', () => {
  const added = [
    { text: 'In between', start_ms: 500, end_ms: 900, speaker: 'Narrator' },
    { text: 'At last', start_ms: 8000, end_ms: 9000, speaker: 'Narrator' },
  ];

  it('adds segments in the order of their times', async () => {
    const { path, read } = await transcription();
    const reply = await add(path, ...added);
    expect([reply.status, reply.headers.Location, reply.json.version]).toEqual([201, path, 2]);
    expect(reply.headers.ETag).toBe((await acme.call('GET', path)).headers.ETag);
    expect(textsOf(reply.json)).toEqual(['In between', 'At last']);
    expect(textsOf(await read())).toEqual([
      'welcome to kinora',
      'In between',
      'this is a test',
      'good bye',
      'At last',
    ]);
  });

  it('adds segments once, even if the response is too large to be stored with the Idempotency-Key', async () => {
    const { path, read, id } = await transcription();
    const headers = { 'idempotency-key': `many-${id}` };
    const text = 'x'.repeat(500);
    const segments = Array.from({ length: 1000 }, (_, at) => ({
      text,
      start_ms: 10_000 + at,
      end_ms: 10_001 + at,
      speaker: 'Ana',
    }));
    const first = await acme.call('POST', `${path}/segments`, { segments }, headers);
    expect([first.status, first.text.length > 400 * 1024]).toEqual([201, true]);
    const second = await acme.call('POST', `${path}/segments`, { segments }, headers);
    expect(second.json).toEqual(first.json);
    expect((await read()).segments).toHaveLength(1003);
    const other = await acme.call('POST', `${path}/segments`, { segments: added }, headers);
    expect([other.status, other.json.code]).toEqual([422, 'idempotency_key_reused']);
  });

  it('links a speaker by id or by name', async () => {
    const { path } = await transcription();
    const bea = (await acme.call('POST', `/v1/assets/${asset}/speakers`, { name: 'Bea' })).json.speaker_id;
    const reply = await add(path, ...[bea, 'Bea'].map((speaker) => ({ ...added[0], speaker })));
    expect(reply.json.segments).toMatchObject(Array(2).fill({ speaker: 'Bea', speaker_id: bea }));
  });

  it('adds segments and their new speakers once, if an interrupted request is repeated', async () => {
    const own = await acme.readyAsset();
    const id = await acme.transcribed(own, ['one']);
    const path = `/v1/assets/${own}/transcriptions/${id}`;
    // The If-Match of the repeat names the version before its first run.
    const { headers: seen } = await acme.call('GET', path);
    const headers = { 'idempotency-key': `speakers-${id}`, 'if-match': seen.ETag! };
    const body = { segments: ['Zoe', 'Yann', 'Zoe'].map((speaker) => ({ ...added[0], speaker })) };
    const first = await acme.call('POST', `${path}/segments`, body, headers);
    expect(first.status).toBe(201);
    await forgetAnswer(api, acme, 'createSegments', `speakers-${id}`);
    const again = await acme.call('POST', `${path}/segments`, body, headers);
    expect([again.json, again.headers.ETag]).toEqual([first.json, first.headers.ETag]);
    const now = await acme.call('GET', path);
    expect([now.json.segments.length, now.headers.ETag]).toEqual([4, first.headers.ETag]);
    const speakers = (await acme.call('GET', `/v1/assets/${own}/speakers`)).json.data;
    expect(speakers).toMatchObject([{ name: 'Zoe' }, { name: 'Yann' }]);
    const [zoe, yann] = speakers.map(({ speaker_id }: Shown) => ({ speaker_id }));
    expect(first.json.segments).toMatchObject([zoe, yann, zoe]);
    for (const name of ['zoe', 'Yann'])
      expect((await acme.call('GET', `/v1/assets?speakers=${name}`)).json.data[0].asset_id).toBe(own);
  });

  it('creates no speaker for a rejected request or for the label of an unnamed voice', async () => {
    const own = await acme.readyAsset();
    const id = await acme.transcribed(own, ['one']);
    const path = `/v1/assets/${own}/transcriptions/${id}`;
    const send = (segment: object, headers = {}) =>
      acme.call('POST', `${path}/segments`, { segments: [{ ...added[0], ...segment }] }, headers);
    expect((await send({ speaker: 'Nobody', end_ms: 1 })).status).toBe(422);
    expect((await send({ speaker: 'Nobody' }, { 'if-match': '"9"' })).status).toBe(412);
    await acme.transcriptions.edit(own, id, { now: new Date(), newId: () => 'x' }, (segments) =>
      segments.map((segment) => ({ ...segment, speaker: 'Speaker 1' })),
    );
    expect((await send({ speaker: 'Speaker 1' })).json.segments[0].speaker_id).toBeNull();
    expect((await acme.call('GET', `/v1/assets/${own}/speakers`)).json.data).toEqual([]);
  });

  it('accepts original_segment_id only for segments of the transcription in the original language', async () => {
    const original = await transcription(['one']);
    const { path } = await transcription(['uno'], { source: 'translated', language_id: spanish });
    const translating = (original_segment_id: string) => add(path, { ...added[0], original_segment_id });
    const [{ segment_id: original_segment_id }] = original.segments;
    const good = await translating(original_segment_id);
    expect(good.json.segments).toMatchObject([{ original_segment_id }]);
    const bad = await translating(missing);
    expect(bad.json.errors).toEqual([
      expect.objectContaining({ pointer: '/segments/0/original_segment_id', code: 'unknown_reference' }),
    ]);
  });

  it('rejects an end before its start, and the id of a missing speaker', async () => {
    const { path } = await transcription();
    const backwards = await add(path, { ...added[0], end_ms: 500 });
    expect(backwards.json.errors[0]).toMatchObject({ pointer: '/segments/0/end_ms' });
    const orphan = await add(path, { ...added[0], speaker: missing });
    expect([orphan.status, orphan.json.code]).toEqual([422, 'unknown_reference']);
  });
});

describe('the quality marks (qc)', () => {
  const marksOf = ({ segments }: Segments) => segments.map(({ qc }) => qc.map(({ code }) => code));
  const fast = 'a text that is so long that nobody could ever read it in one second.';

  it('are in segments, also in the response to an edit', async () => {
    const { path, segments, read } = await transcription();
    expect(marksOf(await read())).toEqual([[], [], []]);
    const change = { id: segments[1].segment_id, text: fast };
    const edited = await edit(path, change);
    expect(marksOf(edited.json)).toEqual([['fast_speech']]);
    expect(marksOf(await read())).toEqual([[], ['fast_speech'], []]);
    const one = await acme.call('PATCH', `${path}/segments/${change.id}`, { text: 'short' });
    expect(one.json.qc).toEqual([]);
  });

  it('filter segments by one mark or by any, page by page', async () => {
    const { path } = await transcription([fast, 'Short.', `And ${fast}`, 'Short too.']);
    const chosen = async (query: string) => (await acme.call('GET', `${path}?${query}`)).json;
    expect(marksOf(await chosen('qc=any'))).toEqual([['fast_speech'], ['fast_speech']]);
    expect(await chosen('qc=wide_line')).toMatchObject({ segments: [], segment_count: 4 });
    const first = await chosen('qc=fast_speech&items=1');
    expect(first.segments).toHaveLength(1);
    const second = await chosen(`qc=fast_speech&items=1&cursor=${first.next_cursor}`);
    expect(second).toMatchObject({ next_cursor: null, segments: [{ text: `And ${fast}` }] });
    const elsewhere = await acme.call('GET', `${path}?items=1&cursor=${first.next_cursor}`);
    expect(elsewhere.json.code).toBe('invalid_cursor');
  });
});

/** Every list can be read in pages, by number or by cursor. */
import { uuidv7 } from 'uuidv7';
import { beforeAll, describe, expect, it } from 'vitest';
import { operations } from '../../contract/index.ts';
import type { OperationSpec } from '../../contract/kit/operation.ts';
import { AnalysisResults } from '../../lambdas/analyses/records/analysis-results.ts';
import type { AssetId } from '../../shared/ids.ts';
import { languages } from '../../shared/languages.ts';
import { problemCodesOf } from '../../toolchain/openapi/problems.ts';
import { newJobId } from '../support/ids.ts';
import { startTestApi } from '../support/test-api.ts';

/**
 * Lists that end by themselves, or that the specification has without pages: jobs of one asset, months; peaks
 * of a format of others.
 */
const whole = ['getHistoricalUsage', 'getWaveform', 'listEvents', 'listIngestJobs', 'listVoiceOverJobs'];

interface Schema {
  readonly properties?: Readonly<Record<string, unknown>>;
}

const membersOf = (schema: unknown) => Object.keys((schema as Schema | undefined)?.properties ?? {});

const isList = (schema: unknown) =>
  ((schema as Schema | undefined)?.properties?.data as { type?: string } | undefined)?.type === 'array';

const lists = operations
  .map(({ spec }) => spec as OperationSpec)
  .filter(({ method, responses }) => method === 'GET' && isList(responses[200]?.body));

describe('every list of the contract', () => {
  it.each(lists.filter(({ id }) => !whole.includes(id)).map((spec) => [spec.id, spec] as const))(
    'accepts page, items and cursor, and returns a page with its links: %s',
    (_, spec) => {
      const { query, responses } = spec;
      expect(membersOf(query)).toEqual(expect.arrayContaining(['page', 'items', 'cursor']));
      const members = ['data', 'page', 'items', 'total', 'total_is_lower_bound', 'next_cursor'];
      expect(membersOf(responses[200]!.body)).toEqual(members);
      expect(responses[200]!.headers).toHaveProperty('Link');
      expect(problemCodesOf(spec)).toContain('invalid_cursor');
    },
  );
});

let asset: AssetId;

const api = await startTestApi();
const acme = await api.tenant('acme');

beforeAll(async () => {
  asset = await acme.readyAsset();
});

async function walked(path: string, items: number) {
  const pages = [];
  for (let cursor = ''; ; ) {
    const { json, headers } = await acme.call('GET', `${path}?items=${items}${cursor}`);
    pages.push(json);
    const hasNext = json.next_cursor !== null;
    expect(/rel="next"/.test(headers.Link!)).toBe(hasNext);
    if (!hasNext) return pages;
    cursor = `&cursor=${encodeURIComponent(json.next_cursor)}`;
  }
}

/** Reads the list by page and by cursor, and compares the results. */
async function readAllWays(path: string, total: number) {
  const { json: first } = await acme.call('GET', path);
  expect(first).toMatchObject({ page: 1, items: 16, total, total_is_lower_bound: false });
  expect(first.data).toHaveLength(Math.min(16, total));
  const pages = await walked(path, 7);
  expect(pages.map(({ page }) => page)).toEqual(pages.map((_, at) => at + 1));
  expect(pages.every((page) => page.total === total)).toBe(true);
  const all = pages.flatMap(({ data }) => data);
  expect(all).toHaveLength(total);
  for (const [at, { data }] of pages.entries()) {
    expect((await acme.call('GET', `${path}?items=7&page=${at + 1}`)).json.data).toEqual(data);
  }
  const beyond = await acme.call('GET', `${path}?items=7&page=${pages.length + 1}`);
  expect(beyond.json).toMatchObject({ data: [], total, next_cursor: null });
  const foreign = await acme.call('GET', `${path}?cursor=x`);
  expect([foreign.status, foreign.json.code]).toEqual([400, 'invalid_cursor']);
  return all;
}

describe("a list of an asset's children", () => {
  it('has clips, oldest first', async () => {
    const path = `/v1/assets/${asset}/video_clips`;
    const starts = Array.from({ length: 23 }, (_, at) => ({ start_ms: at * 1000, end_ms: at * 1000 + 900 }));
    for (const video_clips of [starts.slice(0, 20), starts.slice(20)]) {
      await acme.call('POST', path, { video_clips });
    }
    const all = await readAllWays(path, 23);
    const ids = all.map(({ video_clip_id }) => video_clip_id);
    expect(ids).toEqual([...ids].sort());
    const other = await acme.readyAsset();
    const { next_cursor } = (await acme.call('GET', `${path}?items=7`)).json;
    const elsewhere = await acme.call('GET', `/v1/assets/${other}/video_clips?cursor=${next_cursor}`);
    expect(elsewhere.json.code).toBe('invalid_cursor');
  });

  it('has speakers', async () => {
    const path = `/v1/assets/${asset}/speakers`;
    for (let at = 0; at < 9; at += 1) await acme.call('POST', path, { name: `Speaker ${at}` });
    await readAllWays(path, 9);
  });

  it('has transcriptions, and not their versions', async () => {
    for (let at = 0; at < 8; at += 1) await acme.transcribed(asset, ['hello']);
    await readAllWays(`/v1/assets/${asset}/transcriptions`, 8);
  });

  it('has centers of interest, ordered by time', async () => {
    const path = `/v1/assets/${asset}/centers_of_interest`;
    for (const at of [5, 3, 9, 1, 7, 2, 8, 4, 6]) {
      await acme.call('POST', path, { start_ms: at * 1000, end_ms: at * 1000 + 500, x: 0.5, y: 0.5 });
    }
    const all = await readAllWays(path, 9);
    expect(all.map(({ start_ms }) => start_ms / 1000)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
  });

  it('has faces, which are stored in one document', async () => {
    const results = new AnalysisResults(acme.table, acme.objects, acme.id);
    const face = (at: number) => ({
      face_id: uuidv7(),
      confidence: at / 100,
      appearances: [],
      likeness: [at],
      thumbnail: null,
    });
    const faces = Array.from({ length: 17 }, (_, at) => face(at));
    await results.writeList(asset, 'faces', newJobId(), faces);
    const shown = faces.map(({ likeness: _, ...rest }) => ({ ...rest, name: null, speaker_id: null }));
    expect(await readAllWays(`/v1/assets/${asset}/faces`, 17)).toEqual(shown);
  });

  it('is empty before the first item exists', async () => {
    const fresh = await acme.readyAsset();
    for (const name of ['video_clips', 'audio_tracks', 'metadata', 'camera_shoots', 'sound_descriptions']) {
      const { json } = await acme.call('GET', `/v1/assets/${fresh}/${name}`);
      expect(json).toMatchObject({ data: [], page: 1, total: 0, next_cursor: null });
    }
  });
});

it('the list of languages has pages like other lists', async () => {
  await readAllWays('/v1/languages', languages.length);
});

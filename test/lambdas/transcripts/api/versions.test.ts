import { beforeAll, describe, expect, it } from 'vitest';
import { Transcriptions } from '../../../../lambdas/transcripts/lineage/records/transcriptions.ts';
import type { AssetId } from '../../../../shared/ids.ts';
import type { Segment } from '../../../../shared/segments.ts';
import { startTestApi } from '../../../support/test-api.ts';
import { forgetAnswer } from './interrupted.ts';

let asset: AssetId;

const api = await startTestApi();
const acme = await api.tenant('acme');

beforeAll(async () => {
  asset = await acme.readyAsset();
});

async function transcription(texts = ['welcome to kinora', 'this is a test', 'good bye']) {
  const id = await acme.transcribed(asset, texts);
  const path = `/v1/assets/${asset}/transcriptions/${id}`;
  const read = async (query = '') => (await acme.call('GET', `${path}${query}`)).json;
  const ids: string[] = (await read()).segments.map(({ segment_id }: { segment_id: string }) => segment_id);
  return { id, path, read, ids };
}

const textsOf = ({ segments }: { segments: { text: string }[] }) => segments.map(({ text }) => text);

describe('POST …/segments/{segment_id}/split', () => {
  it('splits a segment once, if an interrupted request is repeated', async () => {
    const { id, path, read, ids } = await transcription();
    const { headers: seen } = await acme.call('GET', path);
    const headers = { 'idempotency-key': `split-${id}`, 'if-match': seen.ETag! };
    const place = `${path}/segments/${ids[0]}/split`;
    const first = await acme.call('POST', place, { word: 2 }, headers);
    expect([first.status, first.headers.ETag, textsOf(first.json)]).toEqual([
      200,
      '"2"',
      ['welcome to', 'kinora'],
    ]);
    expect(first.json.segments[0].segment_id).toBe(ids[0]);
    await forgetAnswer(api, acme, 'splitSegment', `split-${id}`);
    const again = await acme.call('POST', place, { word: 2 }, headers);
    expect(again.json).toEqual(first.json);
    expect(textsOf(await read())).toEqual(['welcome to', 'kinora', 'this is a test', 'good bye']);
  });

  it('rejects a position outside the segment, and more than one position', async () => {
    const { path, ids } = await transcription();
    const place = `${path}/segments/${ids[1]}/split`;
    const outside = await acme.call('POST', place, { time_ms: 500 });
    expect([outside.status, outside.json.errors[0].pointer]).toEqual([422, '/time_ms']);
    expect((await acme.call('POST', place, { word: 1, character: 2 })).status).toBe(422);
    expect((await acme.call('POST', place, {})).status).toBe(422);
  });
});

describe('POST …/segments/merge', () => {
  it('merges segments once, if an interrupted request is repeated', async () => {
    const { id, path, read, ids } = await transcription();
    const headers = { 'idempotency-key': `merge-${id}` };
    const body = { segment_ids: [ids[0], ids[1]] };
    const first = await acme.call('POST', `${path}/segments/merge`, body, headers);
    expect(first.json.segments).toMatchObject([
      { text: 'welcome to kinora this is a test', start_ms: 0, end_ms: 2000 },
    ]);
    await forgetAnswer(api, acme, 'mergeSegments', `merge-${id}`);
    expect((await acme.call('POST', `${path}/segments/merge`, body, headers)).json).toEqual(first.json);
    expect(textsOf(await read())).toEqual(['welcome to kinora this is a test', 'good bye']);
  });

  it('rejects segments that are not next to each other', async () => {
    const { path, ids } = await transcription();
    const apart = await acme.call('POST', `${path}/segments/merge`, { segment_ids: [ids[0], ids[2]] });
    expect([apart.status, apart.json.errors[0].pointer]).toEqual([422, '/segment_ids']);
  });
});

describe('DELETE …/segments/{segment_id}', () => {
  it('removes the segment in a new version', async () => {
    const { path, read, ids } = await transcription();
    const place = `${path}/segments/${ids[1]}`;
    expect((await acme.call('DELETE', place)).status).toBe(204);
    expect(textsOf(await read())).toEqual(['welcome to kinora', 'good bye']);
    expect((await acme.call('DELETE', place)).status).toBe(404);
  });
});

describe('versions', () => {
  it('show what changed, newest first', async () => {
    const { path, ids } = await transcription();
    await acme.call('PATCH', `${path}/segments/${ids[0]}`, { text: 'hello' });
    await acme.call('POST', `${path}/segments/${ids[1]}/split`, { word: 1 });
    await acme.call('DELETE', `${path}/segments/${ids[2]}`);
    await acme.call('POST', `${path}/restore`, { version: 2 });
    const { json } = await acme.call('GET', `${path}/versions`);
    const change = (action: string, segments: number, restored_version: number | null = null) => {
      return { action, segments, restored_version };
    };
    expect(json.data).toMatchObject([
      { version: 5, segment_count: 3, change: change('restored', 3, 2) },
      { version: 4, segment_count: 3, change: change('deleted', 1) },
      { version: 3, segment_count: 4, change: change('split', 1) },
      { version: 2, segment_count: 3, change: change('edited', 1) },
      { version: 1, segment_count: 3, change: change('created', 3) },
    ]);
    const page = await acme.call('GET', `${path}/versions?items=2&page=2`);
    expect(page.json.data.map(({ version }: { version: number }) => version)).toEqual([3, 2]);
  });

  it('are restored as a new version, which can be undone', async () => {
    const { path, read, ids } = await transcription();
    const before = await read();
    await acme.call('PATCH', `${path}/segments/${ids[0]}`, { text: 'hello', end_ms: 3000 });
    const after = await read();
    const restored = await acme.call('POST', `${path}/restore`, { version: 1 });
    expect([restored.status, restored.json.version, restored.headers.ETag]).toEqual([200, 3, '"3"']);
    expect((await read()).segments).toEqual(before.segments);
    await acme.call('POST', `${path}/restore`, { version: 2 });
    expect((await read()).segments).toEqual(after.segments);
  });

  it('are restored once, if the request is repeated', async () => {
    const { path, ids } = await transcription();
    await acme.call('DELETE', `${path}/segments/${ids[0]}`);
    const { headers: seen } = await acme.call('GET', path);
    const headers = { 'if-match': seen.ETag! };
    for (const _ of [1, 2]) {
      const { status, json } = await acme.call('POST', `${path}/restore`, { version: 1 }, headers);
      expect([status, json.version]).toEqual([200, 3]);
    }
    expect((await acme.call('POST', `${path}/restore`, { version: 2 }, headers)).status).toBe(412);
    expect((await acme.call('POST', `${path}/restore`, { version: 9 })).status).toBe(404);
  });

  it('are kept up to a limit; the first version is always kept', async () => {
    const { id } = await transcription();
    const few = new Transcriptions(acme.table, acme.objects, acme.id, { most: 3, bytes: 64 << 20, least: 1 });
    const documents: string[] = [];
    for (let edit = 0; edit < 6; edit++) {
      const editor = { now: new Date(), newId: () => `edit-${edit}` };
      const change = (segments: readonly Segment[]) =>
        segments.map((one) => ({ ...one, text: `edit ${edit}` }));
      documents.push((await few.edit(asset, id, editor, change)).document);
    }
    const head = await few.get(asset, id);
    expect((await few.versions(head)).map(({ version }) => version)).toEqual([7, 6, 5, 1]);
    const isThere = await Promise.all(documents.map(async (key) => (await acme.objects.size(key)) !== null));
    expect(isThere).toEqual([false, false, false, true, true, true]);
    await expect(few.atVersion(head, 4)).rejects.toThrow('resource_not_found');
    expect((await few.segments(await few.atVersion(head, 1)))[0]!.text).toBe('welcome to kinora');
  });

  it('are kept up to a number of bytes, which each edit approaches', async () => {
    const { id } = await transcription();
    const versionsAfter = async (bytes: number, edits: number) => {
      const kept = new Transcriptions(acme.table, acme.objects, acme.id, { most: 1000, bytes, least: 2 });
      for (let edit = 0; edit < edits; edit++) {
        const change = (segments: readonly Segment[]) =>
          segments.map((one) => ({ ...one, text: `${one.text} ${edit}` }));
        await kept.edit(asset, id, { now: new Date(), newId: () => `${bytes}-${edit}` }, change);
      }
      const left = await kept.versions(await kept.get(asset, id));
      return left.map(({ version }) => version);
    };
    expect(await versionsAfter(1 << 20, 6)).toEqual([7, 6, 5, 4, 3, 2, 1]);
    // Only the least number has room now: each edit removes three old versions until the limit is reached.
    expect(await versionsAfter(1, 1)).toEqual([8, 7, 6, 5, 1]);
    expect(await versionsAfter(1, 2)).toEqual([10, 9, 1]);
  });
});

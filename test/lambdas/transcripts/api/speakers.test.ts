import { describe, expect, it } from 'vitest';
import { startTestApi } from '../../../support/test-api.ts';

const api = await startTestApi();
const acme = await api.tenant('acme');

interface Shown {
  readonly segment_id: string;
  readonly speaker: string;
  readonly speaker_id: string | null;
}

async function spokenAsset() {
  const asset = await acme.readyAsset();
  const id = await acme.transcribed(asset, ['welcome to kinora', 'good bye']);
  const transcription = `/v1/assets/${asset}/transcriptions/${id}`;
  const speakers = `/v1/assets/${asset}/speakers`;
  const read = async (query = '') => (await acme.call('GET', `${transcription}${query}`)).json;
  const [{ segment_id }] = (await read()).segments;
  return {
    asset,
    transcription,
    speakers,
    read,
    shown: async () => (await read()).segments.map(({ speaker, speaker_id }: Shown) => [speaker, speaker_id]),
    create: (name: string, label?: string | null) =>
      acme.call('POST', speakers, { name, ...(label !== undefined && { label }) }),
    assign: (speaker_id: string | null) =>
      acme.call('PATCH', `${transcription}/segments/${segment_id}`, { speaker_id }),
  };
}

describe('speakers', () => {
  it('are created, listed and renamed', async () => {
    const { speakers, create } = await spokenAsset();
    const made = await create('Ana');
    const path = `${speakers}/${made.json.speaker_id}`;
    expect(made).toMatchObject({ status: 201, headers: { Location: path, ETag: '"1"' } });
    const renamed = await acme.call('PATCH', path, { name: 'Ana Ruiz' });
    expect([renamed.status, renamed.json.name, renamed.headers.ETag]).toEqual([200, 'Ana Ruiz', '"2"']);
    expect((await acme.call('GET', speakers)).json.data).toEqual([renamed.json]);
  });

  it('have unique names, even if many are created at the same time', async () => {
    const { speakers, create } = await spokenAsset();
    const asked = await Promise.all(Array.from({ length: 6 }, () => create('Ana')));
    expect(asked.map(({ status }) => status).toSorted()).toEqual([201, 409, 409, 409, 409, 409]);
    const refused = asked.find(({ status }) => status === 409)!;
    const errors = [{ pointer: '/name', code: 'not_unique' }];
    expect(refused.json).toMatchObject({ code: 'invalid_state', errors });
    expect((await acme.call('GET', speakers)).json.data).toHaveLength(1);
  });

  it('are rejected if their names are too long for the lists of assets', async () => {
    const { asset, speakers, transcription, create } = await spokenAsset();
    const long = (at: number) => `${String(at).padStart(4, '0')}${'字'.repeat(250)}`;
    const naming = (from: number, count: number) => ({
      segments: Array.from({ length: count }, (_, at) => {
        return { text: 'Yes.', start_ms: at, end_ms: at + 1, speaker: long(from + at) };
      }),
    });
    const count = async () => (await acme.call('GET', speakers)).json.total;
    const refused = (pointer: string) => ({
      status: 413,
      json: { code: 'payload_too_large', errors: [{ pointer, code: 'too_large' }] },
    });
    const segments = `${transcription}/segments`;
    expect(await acme.call('POST', segments, naming(0, 540))).toMatchObject(refused('/segments'));
    expect(await count()).toBe(0);
    expect((await acme.call('POST', segments, naming(0, 78))).status).toBe(201);
    expect(await acme.call('POST', segments, naming(78, 1))).toMatchObject(refused('/segments'));
    expect(await create(long(78))).toMatchObject(refused('/name'));
    const ana = (await create('Ana')).headers.Location!;
    expect(await acme.call('PATCH', ana, { name: long(78) })).toMatchObject(refused('/name'));
    expect(await count()).toBe(79);
    expect((await acme.call('PATCH', ana, { name: 'Ana Ruiz' })).status).toBe(200);
    const { data } = (await acme.call('GET', `/v1/assets?speakers=${encodeURIComponent(long(77))},ana ruiz`))
      .json;
    expect(data.map(({ asset_id }: { asset_id: string }) => asset_id)).toEqual([asset]);
  });

  it('release their name when they are renamed or deleted', async () => {
    const { create } = await spokenAsset();
    const ana = (await create('Ana')).headers.Location!;
    const eva = (await create('Eva')).headers.Location!;
    expect((await acme.call('PATCH', eva, { name: 'Ana' })).status).toBe(409);
    expect((await acme.call('PATCH', eva, { name: 'Eva' })).json).toMatchObject({ name: 'Eva' });
    expect((await acme.call('PATCH', ana, { name: 'Una' })).status).toBe(200);
    expect((await acme.call('PATCH', eva, { name: 'Ana' })).status).toBe(200);
    expect((await acme.call('DELETE', eva)).status).toBe(204);
    expect((await create('Ana')).status).toBe(201);
  });

  it('change the subtitles when they are renamed, which get another ETag, and can be removed from a segment', async () => {
    const { transcription, speakers, read, create, assign } = await spokenAsset();
    const { speaker_id } = (await create('Ana')).json;
    expect((await assign(speaker_id)).json).toMatchObject({ speaker: 'Ana', speaker_id });
    const before = await acme.call('GET', `${transcription}/vtt`);
    expect(before.text).toContain('<v Ana>');
    await acme.call('PATCH', `${speakers}/${speaker_id}`, { name: 'Eva' });
    const headers = { 'if-none-match': before.headers.ETag! };
    const after = await acme.call('GET', `${transcription}/vtt`, undefined, headers);
    expect(after.status).toBe(200);
    expect(after.text).toContain('<v Eva>');
    expect((await read()).segments[0].speaker).toBe('Eva');
    expect((await assign(null)).json).toMatchObject({ speaker: null, speaker_id: null });
  });

  it('are assigned to segments by their name or label as label; a label without segments is rejected', async () => {
    const { transcription, speakers, read, shown, create } = await spokenAsset();
    const label = (await read()).segments[0].speaker;
    const refused = await create('Ana', `${label}0`);
    expect(refused).toMatchObject({ status: 422, json: { errors: [{ pointer: '/label' }] } });
    expect(await shown()).toEqual(Array(2).fill([label, null]));
    const made = (await create('Ana', label)).json;
    expect(await shown()).toEqual(Array(2).fill(['Ana', made.speaker_id]));
    await acme.call('PATCH', `${speakers}/${made.speaker_id}`, { name: 'Eva' });
    expect((await acme.call('GET', `${transcription}/vtt`)).text).toContain('<v Eva>');
    await acme.call('DELETE', `${speakers}/${made.speaker_id}`);
    const again = (await create('Eva')).json;
    expect(await shown()).toEqual(Array(2).fill(['Eva', again.speaker_id]));
    const { data } = (await acme.call('GET', `${transcription}/versions`)).json;
    const edited = { change: { action: 'edited', segments: 2, restored_version: null } };
    expect(data.slice(0, 3)).toMatchObject(Array(3).fill(edited));
  });

  it('are not assigned to segments of an existing speaker, whose id is not a label', async () => {
    const { shown, create, assign } = await spokenAsset();
    const ana = (await create('Ana')).json.speaker_id;
    await assign(ana);
    const refused = await create('Eva', ana);
    expect(refused).toMatchObject({ status: 422, json: { errors: [{ pointer: '/label' }] } });
    expect((await create(ana, null)).status).toBe(201);
    expect((await shown())[0]).toEqual(['Ana', ana]);
  });

  it('are assigned to segments of a deleted speaker in a restored version', async () => {
    const { transcription, speakers, shown, create, assign } = await spokenAsset();
    const gone = (await create('Ana')).json.speaker_id;
    await assign(gone);
    await acme.call('DELETE', `${speakers}/${gone}`);
    await acme.call('POST', `${transcription}/restore`, { version: 2 });
    expect((await shown())[0]).toEqual(['Ana', null]);
    const { speaker_id } = (await create('Ana Ruiz', 'Ana')).json;
    expect((await shown())[0]).toEqual(['Ana Ruiz', speaker_id]);
  });

  it('are removed from their segments when they are deleted; the name stays as a plain label', async () => {
    const { speakers, read, create, assign } = await spokenAsset();
    const { speaker_id } = (await create('Ana')).json;
    await assign(speaker_id);
    expect((await acme.call('DELETE', `${speakers}/${speaker_id}`)).status).toBe(204);
    const segments = [{ speaker: 'Ana', speaker_id: null }, {}];
    expect(await read()).toMatchObject({ version: 3, segments });
    // The answer is the same for earlier versions.
    expect(await read('?version=2')).toMatchObject({ version: 2, segments });
    expect((await acme.call('DELETE', `${speakers}/${speaker_id}`)).status).toBe(404);
    expect((await assign(speaker_id)).json.code).toBe('unknown_reference');
  });

  it('make the asset appear in lists under their current names', async () => {
    const { asset, speakers, create } = await spokenAsset();
    const found = async (name: string) =>
      (await acme.call('GET', `/v1/assets?speakers=${name}`)).json.data.map(
        ({ asset_id }: { asset_id: string }) => asset_id,
      );
    const { speaker_id } = (await create('Zoe')).json;
    await create('Zita');
    expect(await found('zoe')).toEqual([asset]);
    expect(await found('zoe,zita')).toEqual([asset]);
    await acme.call('PATCH', `${speakers}/${speaker_id}`, { name: 'Zara' });
    expect([await found('zoe'), await found('zara')]).toEqual([[], [asset]]);
    await acme.call('DELETE', `${speakers}/${speaker_id}`);
    expect([await found('zara'), await found('zita')]).toEqual([[], [asset]]);
  });

  it('are removed from the lists when an interrupted deletion is repeated', async () => {
    const { asset, speakers, create } = await spokenAsset();
    const { speaker_id } = (await create('Yvo')).json;
    await acme.table.delete({ pk: `T#acme#A#${asset}`, sk: `SPK#${speaker_id}` });
    const found = async () => (await acme.call('GET', '/v1/assets?speakers=yvo')).json.total;
    expect(await found()).toBe(1);
    expect((await acme.call('DELETE', `${speakers}/${speaker_id}`)).status).toBe(404);
    expect(await found()).toBe(0);
  });
});

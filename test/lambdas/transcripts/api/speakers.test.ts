import { describe, expect, it } from 'vitest';
import { startTestApi } from '../../../support/test-api.ts';

const api = await startTestApi();
const acme = await api.tenant('acme');

async function spokenAsset() {
  const asset = await acme.readyAsset();
  const id = await acme.transcribed(asset, ['welcome to kinora', 'good bye']);
  const transcription = `/v1/assets/${asset}/transcriptions/${id}`;
  const { segments } = (await acme.call('GET', transcription)).json;
  const speakers = `/v1/assets/${asset}/speakers`;
  return { asset, transcription, speakers, segments };
}

const assign = (transcription: string, segment: string, speaker_id: string | null) =>
  acme.call('PATCH', `${transcription}/segments/${segment}`, { speaker_id });

describe('speakers', () => {
  it('are created, listed and renamed', async () => {
    const { speakers } = await spokenAsset();
    const made = await acme.call('POST', speakers, { name: 'Ana' });
    expect([made.status, made.headers.Location, made.headers.ETag]).toEqual([
      201,
      `${speakers}/${made.json.speaker_id}`,
      '"1"',
    ]);
    const renamed = await acme.call('PATCH', made.headers.Location!, { name: 'Ana Ruiz' });
    expect([renamed.status, renamed.json.name, renamed.headers.ETag]).toEqual([200, 'Ana Ruiz', '"2"']);
    expect((await acme.call('GET', speakers)).json.data).toEqual([renamed.json]);
  });

  it('have unique names, even if many are created at the same time', async () => {
    const { speakers } = await spokenAsset();
    const asked = await Promise.all(
      Array.from({ length: 6 }, () => acme.call('POST', speakers, { name: 'Ana' })),
    );
    expect(asked.map(({ status }) => status).toSorted()).toEqual([201, 409, 409, 409, 409, 409]);
    const refused = asked.find(({ status }) => status === 409)!;
    expect(refused.json).toMatchObject({
      code: 'invalid_state',
      errors: [{ pointer: '/name', code: 'not_unique' }],
    });
    expect((await acme.call('GET', speakers)).json.data).toHaveLength(1);
  });

  it('are rejected if their names are too long for the lists of assets', async () => {
    const { asset, speakers, transcription } = await spokenAsset();
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
    expect(await acme.call('POST', speakers, { name: long(78) })).toMatchObject(refused('/name'));
    const ana = (await acme.call('POST', speakers, { name: 'Ana' })).headers.Location!;
    expect(await acme.call('PATCH', ana, { name: long(78) })).toMatchObject(refused('/name'));
    expect(await count()).toBe(79);
    expect((await acme.call('PATCH', ana, { name: 'Ana Ruiz' })).status).toBe(200);
    const { data } = (await acme.call('GET', `/v1/assets?speakers=${encodeURIComponent(long(77))},ana ruiz`))
      .json;
    expect(data.map(({ asset_id }: { asset_id: string }) => asset_id)).toEqual([asset]);
  });

  it('release their name when they are renamed or deleted', async () => {
    const { speakers } = await spokenAsset();
    const ana = (await acme.call('POST', speakers, { name: 'Ana' })).headers.Location!;
    const eva = (await acme.call('POST', speakers, { name: 'Eva' })).headers.Location!;
    expect((await acme.call('PATCH', eva, { name: 'Ana' })).status).toBe(409);
    expect((await acme.call('PATCH', eva, { name: 'Eva' })).json).toMatchObject({ name: 'Eva' });
    expect((await acme.call('PATCH', ana, { name: 'Una' })).status).toBe(200);
    expect((await acme.call('PATCH', eva, { name: 'Ana' })).status).toBe(200);
    expect((await acme.call('DELETE', eva)).status).toBe(204);
    expect((await acme.call('POST', speakers, { name: 'Ana' })).status).toBe(201);
  });

  it('change the subtitles when they are renamed, which get another ETag', async () => {
    const { transcription, speakers, segments } = await spokenAsset();
    const { speaker_id } = (await acme.call('POST', speakers, { name: 'Ana' })).json;
    expect((await assign(transcription, segments[0].segment_id, speaker_id)).json).toMatchObject({
      speaker: 'Ana',
      speaker_id,
    });
    const before = await acme.call('GET', `${transcription}/vtt`);
    expect(before.text).toContain('<v Ana>');
    await acme.call('PATCH', `${speakers}/${speaker_id}`, { name: 'Eva' });
    const after = await acme.call('GET', `${transcription}/vtt`, undefined, {
      'if-none-match': before.headers.ETag!,
    });
    expect(after.status).toBe(200);
    expect(after.text).toContain('<v Eva>');
    expect((await acme.call('GET', transcription)).json.segments[0].speaker).toBe('Eva');
  });

  it('are assigned to all segments with the label of an unnamed voice', async () => {
    const { transcription, speakers } = await spokenAsset();
    const labels = ['Speaker 1', 'Speaker 2', 'Speaker 1', 'Speaker 2'];
    const heard = labels.map((speaker, i) => ({
      text: `turn ${i}`,
      start_ms: 30_000 + i * 2_000,
      end_ms: 31_500 + i * 2_000,
      speaker,
    }));
    const { segments } = (await acme.call('POST', `${transcription}/segments`, { segments: heard })).json;
    const { speaker_id } = (await acme.call('POST', speakers, { name: 'Ana' })).json;
    const edits = segments
      .filter(({ speaker }: { speaker: string }) => speaker === 'Speaker 2')
      .map(({ segment_id: id }: { segment_id: string }) => ({ id, speaker_id }));
    const named = await acme.call('PATCH', `${transcription}/segments`, { segments: edits });
    expect(named.json.segments).toHaveLength(2);
    await acme.call('PATCH', `${speakers}/${speaker_id}`, { name: 'Eva' });
    const shown = (await acme.call('GET', transcription)).json.segments.slice(-4);
    expect(shown.map(({ speaker }: { speaker: string }) => speaker)).toEqual([
      'Speaker 1',
      'Eva',
      'Speaker 1',
      'Eva',
    ]);
  });

  it('are assigned to segments by their name or label as label; a label without segments is rejected', async () => {
    const { transcription, speakers } = await spokenAsset();
    const [heard] = (await acme.call('GET', transcription)).json.segments;
    const label = heard.speaker;
    const refused = await acme.call('POST', speakers, { name: 'Ana', label: `${label}0` });
    expect(refused).toMatchObject({ status: 422, json: { errors: [{ pointer: '/label' }] } });
    const shown = async () =>
      (await acme.call('GET', transcription)).json.segments.map(
        ({ speaker, speaker_id }: { speaker: string; speaker_id: string | null }) => [speaker, speaker_id],
      );
    expect(await shown()).toEqual([
      [label, null],
      [label, null],
    ]);
    const made = (await acme.call('POST', speakers, { name: 'Ana', label })).json;
    expect(await shown()).toEqual(Array(2).fill(['Ana', made.speaker_id]));
    await acme.call('PATCH', `${speakers}/${made.speaker_id}`, { name: 'Eva' });
    expect((await acme.call('GET', `${transcription}/vtt`)).text).toContain('<v Eva>');
    await acme.call('DELETE', `${speakers}/${made.speaker_id}`);
    const again = (await acme.call('POST', speakers, { name: 'Eva' })).json;
    expect(await shown()).toEqual(Array(2).fill(['Eva', again.speaker_id]));
    const { data } = (await acme.call('GET', `${transcription}/versions`)).json;
    const edited = { action: 'edited', segments: 2, restored_version: null };
    expect(data.map(({ change }: { change: object }) => change).slice(0, 3)).toEqual(Array(3).fill(edited));
  });

  it('are not assigned to segments of an existing speaker, whose id is not a label', async () => {
    const { transcription, speakers, segments } = await spokenAsset();
    const ana = (await acme.call('POST', speakers, { name: 'Ana' })).json.speaker_id;
    await assign(transcription, segments[0].segment_id, ana);
    const refused = await acme.call('POST', speakers, { name: 'Eva', label: ana });
    expect(refused).toMatchObject({ status: 422, json: { errors: [{ pointer: '/label' }] } });
    expect((await acme.call('POST', speakers, { name: ana, label: null })).status).toBe(201);
    const after = (await acme.call('GET', transcription)).json;
    expect(after.segments[0]).toMatchObject({ speaker: 'Ana', speaker_id: ana });
  });

  it('are assigned to segments of a deleted speaker in a restored version', async () => {
    const { transcription, speakers, segments } = await spokenAsset();
    const gone = (await acme.call('POST', speakers, { name: 'Ana' })).json.speaker_id;
    await assign(transcription, segments[0].segment_id, gone);
    await acme.call('DELETE', `${speakers}/${gone}`);
    await acme.call('POST', `${transcription}/restore`, { version: 2 });
    const shown = async () => (await acme.call('GET', transcription)).json.segments[0];
    expect(await shown()).toMatchObject({ speaker: 'Ana', speaker_id: null });
    const made = (await acme.call('POST', speakers, { name: 'Ana Ruiz', label: 'Ana' })).json;
    expect(await shown()).toMatchObject({ speaker: 'Ana Ruiz', speaker_id: made.speaker_id });
  });

  it('are removed from their segments when they are deleted; the name stays as a plain label', async () => {
    const { transcription, speakers, segments } = await spokenAsset();
    const { speaker_id } = (await acme.call('POST', speakers, { name: 'Ana' })).json;
    await assign(transcription, segments[0].segment_id, speaker_id);
    expect((await acme.call('DELETE', `${speakers}/${speaker_id}`)).status).toBe(204);
    const after = (await acme.call('GET', transcription)).json;
    expect(after).toMatchObject({ version: 3, segments: [{ speaker: 'Ana', speaker_id: null }, {}] });
    // The answer is the same for earlier versions.
    const former = (await acme.call('GET', `${transcription}?version=2`)).json;
    expect(former).toMatchObject({ version: 2, segments: [{ speaker: 'Ana', speaker_id: null }, {}] });
    expect((await acme.call('DELETE', `${speakers}/${speaker_id}`)).status).toBe(404);
    expect((await assign(transcription, segments[0].segment_id, speaker_id)).json.code).toBe(
      'unknown_reference',
    );
  });

  it('can be removed from a segment', async () => {
    const { transcription, speakers, segments } = await spokenAsset();
    const { speaker_id } = (await acme.call('POST', speakers, { name: 'Ana' })).json;
    await assign(transcription, segments[0].segment_id, speaker_id);
    expect((await assign(transcription, segments[0].segment_id, null)).json).toMatchObject({
      speaker: null,
      speaker_id: null,
    });
  });

  it('make the asset appear in lists under their current names', async () => {
    const { asset, speakers } = await spokenAsset();
    const found = async (name: string) =>
      (await acme.call('GET', `/v1/assets?speakers=${name}`)).json.data.map(
        ({ asset_id }: { asset_id: string }) => asset_id,
      );
    const { speaker_id } = (await acme.call('POST', speakers, { name: 'Zoe' })).json;
    await acme.call('POST', speakers, { name: 'Zita' });
    expect(await found('zoe')).toEqual([asset]);
    expect(await found('zoe,zita')).toEqual([asset]);
    await acme.call('PATCH', `${speakers}/${speaker_id}`, { name: 'Zara' });
    expect([await found('zoe'), await found('zara')]).toEqual([[], [asset]]);
    await acme.call('DELETE', `${speakers}/${speaker_id}`);
    expect([await found('zara'), await found('zita')]).toEqual([[], [asset]]);
  });

  it('are removed from the lists when an interrupted deletion is repeated', async () => {
    const { asset, speakers } = await spokenAsset();
    const { speaker_id } = (await acme.call('POST', speakers, { name: 'Yvo' })).json;
    await acme.table.delete({ pk: `T#acme#A#${asset}`, sk: `SPK#${speaker_id}` });
    const found = async () => (await acme.call('GET', '/v1/assets?speakers=yvo')).json.total;
    expect(await found()).toBe(1);
    expect((await acme.call('DELETE', `${speakers}/${speaker_id}`)).status).toBe(404);
    expect(await found()).toBe(0);
  });

  it('answer 412 for another version and 404 for another tenant', async () => {
    const { speakers } = await spokenAsset();
    const { headers } = await acme.call('POST', speakers, { name: 'Ana' });
    const path = headers.Location!;
    for (const tag of ['"7"', '"x"']) {
      const reply = await acme.call('PATCH', path, { name: 'Eva' }, { 'if-match': tag });
      expect([reply.status, reply.json.code]).toEqual([412, 'precondition_failed']);
    }
    expect((await acme.call('DELETE', path, undefined, { 'if-match': '"7"' })).status).toBe(412);
    const other = await api.tenant('other');
    expect((await other.call('PATCH', path, { name: 'Eva' })).status).toBe(404);
    expect((await other.call('DELETE', path)).status).toBe(404);
    expect((await other.call('POST', speakers, { name: 'Eva' })).status).toBe(404);
    expect((await other.call('GET', speakers)).status).toBe(404);
    expect((await acme.call('GET', speakers)).json.data).toHaveLength(1);
  });

  it('are created once for the same Idempotency-Key', async () => {
    const { speakers } = await spokenAsset();
    const create = () =>
      acme.call('POST', speakers, { name: 'Ana' }, { 'idempotency-key': speakers.slice(0, 200) });
    expect((await create()).json).toEqual((await create()).json);
    expect((await acme.call('GET', speakers)).json.data).toHaveLength(1);
  });
});

import { describe, expect, it } from 'vitest';
import { localFaces } from '../../../../engines/faces/face-api.ts';
import { keepFaces } from '../../../../lambdas/analyses/actions/keep-faces.ts';
import { AnalysisResults } from '../../../../lambdas/analyses/records/analysis-results.ts';
import type { AssetId } from '../../../../shared/ids.ts';
import { newJobId } from '../../../support/ids.ts';
import { startTestApi } from '../../../support/test-api.ts';

const api = await startTestApi();
const acme = await api.tenant('acme');

const ana = { x: 0.1, likeness: [0, 0, 0], crop: 'ana' };
const ben = { x: 0.6, likeness: [1, 0, 0], crop: 'ben' };

/** Stores faces of these people in each of three samples, as an ingest does. */
async function analyse(asset_id: AssetId, ...people: (typeof ana)[]): Promise<void> {
  const faces = people.map(({ x, ...rest }) => ({
    box: { x, y: 0.2, width: 0.2, height: 0.3 },
    confidence: 0.9,
    ...rest,
  }));
  const samples = [0, 1000, 2000].map((at_ms) => ({ at_ms, faces }));
  const cropOf = async ({ crop }: { crop: string }) => Buffer.from(`picture of ${crop}`);
  const { id: tenant, objects, table } = acme;
  const results = new AnalysisResults(table, objects, tenant);
  await keepFaces(
    { asset_id, job_id: newJobId(), samples, shots: [], every_ms: 1000, cropOf },
    { tenant, engine: localFaces(), objects, results, meter: async () => {} },
  );
}

const facesOf = async (asset: string) => (await acme.call('GET', `/v1/assets/${asset}/faces`)).json.data;

async function analysed(...people: (typeof ana)[]) {
  const asset = await acme.readyAsset();
  await analyse(asset, ...people);
  const paths = (await facesOf(asset)).map(
    ({ face_id }: { face_id: string }) => `/v1/assets/${asset}/faces/${face_id}`,
  );
  return { asset, paths: paths as string[] };
}

describe('faces', () => {
  it('are one for each person, with a picture at a URL that is valid for an hour', async () => {
    const { asset } = await analysed(ana, ben);
    const [first, second] = await facesOf(asset);
    expect(first).toEqual({
      face_id: expect.any(String),
      name: null,
      speaker_id: null,
      confidence: 0.9,
      appearances: [{ start_ms: 0, end_ms: 3000, box: { x: 0.1, y: 0.2, width: 0.2, height: 0.3 } }],
      thumbnail: { url: expect.any(String), expires_at: expect.any(String) },
    });
    expect(second.appearances[0].box.x).toBe(0.6);
    const picture = await fetch(first.thumbnail.url);
    expect(picture.headers.get('content-type')).toBe('image/jpeg');
    expect(await picture.text()).toBe('picture of ana');
    const left_ms = Date.parse(first.thumbnail.expires_at) - Date.now();
    expect(left_ms).toBeGreaterThan(3500_000);
    expect(left_ms).toBeLessThanOrEqual(3600_000);
  });

  it('receive a name, a speaker or both from the caller, and lose them with null', async () => {
    const { asset, paths } = await analysed(ana);
    const { json: speaker } = await acme.call('POST', `/v1/assets/${asset}/speakers`, { name: 'Ana Ruiz' });
    const named = await acme.call('PATCH', paths[0]!, { name: 'Ana', speaker_id: speaker.speaker_id });
    expect([named.status, named.json.name, named.json.speaker_id]).toEqual([200, 'Ana', speaker.speaker_id]);
    expect((await facesOf(asset))[0]).toMatchObject({ name: 'Ana', speaker_id: speaker.speaker_id });
    const current = { 'if-match': named.headers.ETag! };
    const nameless = await acme.call('PATCH', paths[0]!, { name: null }, current);
    expect(nameless.json).toMatchObject({ name: null, speaker_id: speaker.speaker_id });
    await acme.call('DELETE', `/v1/assets/${asset}/speakers/${speaker.speaker_id}`);
    expect((await facesOf(asset))[0].speaker_id).toBeNull();
  });

  it('cannot have a speaker of another asset, or be changed by an empty body', async () => {
    const { paths } = await analysed(ana);
    const elsewhere = `/v1/assets/${await acme.readyAsset()}`;
    const { speaker_id } = (await acme.call('POST', `${elsewhere}/speakers`, { name: 'Ana' })).json;
    const { status, json } = await acme.call('PATCH', paths[0]!, { speaker_id });
    expect([status, json.code, json.errors[0].pointer]).toEqual([422, 'unknown_reference', '/speaker_id']);
    expect((await acme.call('PATCH', paths[0]!, {})).status).toBe(422);
  });

  it('keep their names in a new analysis, which recognizes people in any place', async () => {
    const { asset, paths } = await analysed(ana, ben);
    await acme.call('PATCH', paths[0]!, { name: 'Ana' });
    await acme.call('PATCH', paths[1]!, { name: 'Ben' });
    await analyse(
      asset,
      { ...ben, x: 0.1 },
      { ...ana, x: 0.6 },
      { x: 0.35, likeness: [0, 1, 1], crop: 'eva' },
    );
    const faces = await facesOf(asset);
    expect(
      faces.map((face: { name: string; appearances: { box: object }[] }) => [
        face.name,
        face.appearances[0]!.box,
      ]),
    ).toEqual([
      ['Ben', expect.objectContaining({ x: 0.1 })],
      ['Ana', expect.objectContaining({ x: 0.6 })],
      [null, expect.objectContaining({ x: 0.35 })],
    ]);
  });
});

import { createHash } from 'node:crypto';
import { uuidv7 } from 'uuidv7';
import { beforeEach, describe, expect, it } from 'vitest';
import { soundDescriptionsOf } from '../../../../lambdas/sound-descriptions/records.ts';
import type { AssetId } from '../../../../shared/ids.ts';
import { languageByCode } from '../../../../shared/languages.ts';
import { exportingOf } from '../../../support/exporting.ts';
import { startTestApi } from '../../../support/test-api.ts';

const api = await startTestApi();
const tenant = await api.tenant('exporter');
const exporting = exportingOf(tenant);

let asset: AssetId;
let transcription: string;
let dummy: string;
beforeEach(async () => {
  asset = await tenant.readyAsset({ external_id: 'EP 7' });
  transcription = await tenant.transcribed(asset, ['The house is red.', 'The dog eats.']);
  dummy = await exporting.storage({ type: 'dummy' });
});

const at = () => `/v1/assets/${asset}/transcriptions/${transcription}`;
const ask = (format: string, body: object = {}) =>
  tenant.call('POST', `${at()}/${format}/export`, { external_storage_id: dummy, ...body });
/** Gives the asset a sound without speech. */
async function heard(text: string): Promise<void> {
  const at = '2026-11-21T09:00:00.000Z';
  const description_id = uuidv7();
  await soundDescriptionsOf(tenant.table, tenant.id).create(asset, description_id, {
    ...{ description_id, asset_id: asset, start_ms: 20_000, end_ms: 22_000, text, confidence: 0.9 },
    ...{ version: 1, created_at: at, updated_at: at },
  });
}
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

describe('a request to export', () => {
  it('starts a job that has the source and the path', async () => {
    const reply = await ask('vtt');
    expect(reply.status).toBe(202);
    expect(reply.headers.Location).toBe(`/v1/jobs/${reply.json.job_id}`);
    expect(reply.json).toMatchObject({
      type: 'export',
      status: 'queued',
      asset_id: asset,
      transcription_id: transcription,
      version: 1,
      format: 'vtt',
      external_storage_id: dummy,
      path: `kinora/${asset}/en.vtt`,
    });
    expect(api.machines.calls.at(-1)).toContain('EXPORT');
    expect((await tenant.call('GET', reply.headers.Location!)).json).toEqual(reply.json);
  });

  it('is rejected if the path is too long', async () => {
    const long = await exporting.storage({ type: 'dummy', export_path: 'ü'.repeat(511) });
    const refused = await ask('srt', { external_storage_id: long });
    expect([refused.status, refused.json.detail]).toEqual([409, expect.stringContaining('1024')]);
  });
});

describe('an export', () => {
  it.each(['vtt', 'srt', 'stl', 'json'])(
    'in the format %s has the same bytes as the response of the API',
    async (format) => {
      await heard('applause');
      const job = await exporting.done((await ask(format)).json);
      const answer = await tenant.call('GET', format === 'json' ? at() : `${at()}/${format}`);
      // SubRip and the segments have no sounds.
      expect(answer.text.includes('[applause]')).toBe(['vtt', 'stl'].includes(format));
      const bytes = format === 'json' ? Buffer.from(`${JSON.stringify(answer.json)}\n`) : answer.bytes;
      expect(job).toMatchObject({ status: 'succeeded', progress: 1 });
      expect(job.result).toMatchObject({
        external_storage_id: dummy,
        path: job.path,
        size_bytes: bytes.length,
        sha256: sha256(bytes),
        // Nothing is written to a dummy storage.
        location: null,
        confirmed: null,
      });
    },
  );

  it.each([
    ['vtt', { flavor: 'simplified' }],
    ['vtt', { include_sound_descriptions: false }],
    ['stl', { display_standard: 'open' }],
    ['stl', { frame_rate: 30, time_codes: 'non_drop', start_timecode: '10:00:00:00' }],
    ['stl', { include_sound_descriptions: false, display_standard: null }],
  ])('in the format %s takes the options of the response: %j', async (format, options) => {
    await heard('applause');
    const { external_storage_id: _, ...job } = await exporting.done((await ask(format, options)).json);
    const given = Object.entries(options).filter(([, value]) => value !== null);
    const query = given.map(([name, value]) => `${name}=${value}`).join('&');
    const wanted = await tenant.call('GET', `${at()}/${format}?${query}`);
    const usual = await tenant.call('GET', `${at()}/${format}`);
    expect(wanted.bytes.equals(usual.bytes)).toBe(false);
    expect(job).toMatchObject({ status: 'succeeded', result: { sha256: sha256(wanted.bytes) } });
  });

  it.each([
    [{ time_codes: 'non_drop' }, '/time_codes', 'not_allowed'],
    [{ start_timecode: '10:00:00:27' }, '/start_timecode', 'out_of_range'],
    [{ flavor: 'simplified' }, '/flavor', 'unknown_member'],
  ])('of STL is refused with the options %j', async (options, pointer, code) => {
    const { status, json } = await ask('stl', options);
    expect([status, json.errors[0]]).toMatchObject([422, { pointer, code }]);
  });

  it('of metadata has the same content as the response of the API', async () => {
    const { metadata_id, shown } = await exporting.metadata(asset);
    const path = `/v1/assets/${asset}/metadata/${metadata_id}/json/export`;
    const { json } = await tenant.call('POST', path, { external_storage_id: dummy });
    expect(json).toMatchObject({ metadata_id, format: 'metadata' });
    expect(json.path).toBe(`kinora/${asset}/${metadata_id}.metadata.json`);
    await exporting.run('render-export', json);
    const file = await tenant.objects.read(`t/exporter/assets/${asset}/derived/export/${json.job_id}/file`);
    expect(JSON.parse(Buffer.from(file!).toString())).toEqual(await shown());
    expect((await exporting.done(json)).result.sha256).toBe(sha256(file!));
  });

  it('exports the version at the time of its request, despite later edits and repeated steps', async () => {
    const before = (await tenant.call('GET', `${at()}/vtt`)).bytes;
    const { json } = await ask('vtt');
    const edited = {
      segments: [{ id: (await tenant.call('GET', at())).json.segments[0].segment_id, text: 'No.' }],
    };
    await tenant.call('PATCH', `${at()}/segments`, edited);
    await exporting.run('render-export', json);
    await exporting.run('render-export', json);
    const job = await exporting.done(json);
    expect(job.result.sha256).toBe(sha256(before));
    await exporting.run('write-export', json);
    expect((await tenant.call('GET', `/v1/jobs/${json.job_id}`)).json).toEqual(job);
    expect((await exporting.done((await ask('vtt')).json)).version).toBe(2);
  });

  it('leaves no copy of its file in Kinora', async () => {
    const kept = (job_id: string) =>
      tenant.objects.size(`t/exporter/assets/${asset}/derived/export/${job_id}/file`);
    const [{ json: done }, { json: canceled }, { json: failed }] = [
      await ask('vtt'),
      await ask('vtt'),
      await ask('vtt'),
    ];
    await exporting.done(done);
    await exporting.run('render-export', canceled);
    expect(await kept(canceled.job_id)).toBeGreaterThan(0);
    await tenant.call('POST', `/v1/jobs/${canceled.job_id}/cancel`);
    await expect(exporting.run('write-export', canceled)).rejects.toMatchObject({ name: 'canceled' });
    await exporting.run('clear-export', canceled);
    await exporting.run('render-export', failed);
    await exporting.run('fail-export', failed, {
      failure: { Error: 'provider_unavailable', Cause: 'Busy.' },
    });
    for (const { job_id } of [done, canceled, failed]) expect(await kept(job_id)).toBeNull();
    expect((await tenant.call('GET', `/v1/jobs/${failed.job_id}`)).json).toMatchObject({
      status: 'failed',
      error: { code: 'provider_unavailable', detail: 'Busy. Create the job again later.' },
    });
  });

  it.each(['render-export', 'write-export'])(
    'fails if the exported resource was deleted before %s',
    async (name) => {
      const { json } = await ask('vtt');
      if (name === 'write-export') await exporting.run('render-export', json);
      const { Transcriptions } = await import(
        '../../../../lambdas/transcripts/lineage/records/transcriptions.ts'
      );
      // A canceled ingest does the same.
      await new Transcriptions(tenant.table, tenant.objects, tenant.id).remove(asset, transcription);
      await tenant.objects.deleteAll(`t/exporter/assets/${asset}/`);
      await expect(exporting.run(name, json)).rejects.toMatchObject({ name: 'canceled' });
      await exporting.run('clear-export', json);
      expect((await tenant.call('GET', `/v1/jobs/${json.job_id}`)).json).toMatchObject({
        status: 'failed',
        error: { code: 'canceled', detail: expect.stringContaining('was deleted'), retryable: false },
      });
    },
  );

  it('fails if no code table of EBU STL has the letters of the language', async () => {
    transcription = await tenant.transcribed(asset, ['こんにちは。'], {
      language_id: languageByCode('ja')!.language_id,
    });
    const { error, path } = await exporting.done((await ask('stl')).json);
    expect([error.code, path]).toEqual(['language_unsupported', `kinora/${asset}/ja.stl`]);
  });

  it('fails if its storage was deleted, or its destination changed', async () => {
    const azure = (blob_url: string) => ({
      destination: { blob_url },
      authentication_data: { sas_token: 'sig=1' },
    });
    const storage = await exporting.storage({ type: 'azure', ...azure('https://a.example/one') });
    const { json } = await ask('vtt', { external_storage_id: storage });
    const change = await tenant.call(
      'PATCH',
      `/v1/external_storages/${storage}`,
      azure('https://a.example/two'),
    );
    expect(change.status).toBe(200);
    expect((await exporting.done(json)).error).toMatchObject({
      code: 'storage_not_found',
      detail: expect.stringContaining('destination of the external storage changed'),
    });
    const gone = (await ask('vtt')).json;
    await tenant.call('DELETE', `/v1/external_storages/${dummy}`);
    expect((await exporting.done(gone)).error).toMatchObject({ code: 'storage_not_found' });
  });
});

import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { AllJobs } from '../../../platform/jobs/job-records.ts';
import { derivedKey, sourceKey } from '../../../platform/objects/media-objects.ts';
import { makeMedia } from '../../fixtures/media.ts';
import { type Answer, english, spanish } from '../../support/api.ts';
import { exportingOf } from '../../support/exporting.ts';
import { processed } from '../../support/processed.ts';
import { runStep } from '../../support/run-step.ts';
import { startTestApi } from '../../support/test-api.ts';
import { sentTo } from '../../support/uploads.ts';

const api = await startTestApi();
const tenant = await api.tenant('ender');
await tenant.call('POST', '/v1/webhooks', { url: 'https://example.com/hook' });

const failure = { Error: 'States.Timeout', Cause: '' };

const transcribed = async () => {
  const asset = await tenant.readyAsset({ languages: [english] });
  return { asset, transcription: await tenant.transcribed(asset, ['The house is red.']) };
};

async function made(answer: Promise<Answer>) {
  const { status, json, text } = await answer;
  expect(status, text).toBeLessThan(300);
  return json;
}

const translation = (asset: string) =>
  made(tenant.call('POST', `/v1/assets/${asset}/translation_jobs`, { language_ids: [spanish] }));

async function deliveriesOf(step: string, input: object): Promise<number> {
  const before = api.machines.calls.length;
  await runStep(step, { tenant: tenant.id, ...input });
  return api.machines.calls.slice(before).filter((call) => call.includes('DELIVER_EVENT')).length;
}

describe('webhooks receive the end of a job or of its asset', () => {
  it('that the deletion of its asset cancels', async () => {
    const { asset } = await transcribed();
    await translation(asset);
    expect((await tenant.call('DELETE', `/v1/assets/${asset}`)).status).toBe(204);
    expect(await deliveriesOf('remove-media', { asset_id: asset })).toBe(1);
  });

  it('whose branding file is unusable', async () => {
    const { overlay_id } = await made(
      tenant.call('POST', '/v1/branding_overlays', { name: 'Logo', filename: 'logo.png' }),
    );
    const path = `/v1/branding_overlays/${overlay_id}`;
    const body = await sentTo(tenant, path);
    const { job_id } = await made(tenant.call('POST', `${path}/finish_upload`, body));
    const input = { type: 'branding_overlays', file_id: overlay_id, job_id, failure };
    expect(await deliveriesOf('fail-branding-upload', input)).toBe(1);
  });

  it('whose exported transcription was removed', async () => {
    const { asset, transcription } = await transcribed();
    const external_storage_id = await exportingOf(tenant).storage({ type: 'dummy' });
    const path = `/v1/assets/${asset}/transcriptions/${transcription}/vtt/export`;
    const { job_id } = await made(tenant.call('POST', path, { external_storage_id }));
    expect(await deliveriesOf('clear-export', { asset_id: asset, job_id })).toBe(1);
  });

  it('that was canceled by a request that crashed before it ended the processing of the asset', async () => {
    const { id, job } = await processed(tenant);
    await new AllJobs(tenant.table, tenant.id).cancel(job, new Date());
    expect(await deliveriesOf('clear-ingest', { asset_id: id, job_id: job })).toBe(1);
  });
});

describe('the end of a job leaves no objects', () => {
  it('of its branding files, if a clip failed', async () => {
    const { asset } = await transcribed();
    const path = `/v1/assets/${asset}/video_clips`;
    const { data } = await made(tenant.call('POST', path, { video_clips: [{}] }));
    const clip = data[0].video_clip_id;
    const { job_id } = await made(tenant.call('POST', `${path}/download_async`, { video_ids: [clip] }));
    const prefix = derivedKey(tenant.id, asset, { step: 'clips', version: clip, name: 'materials/' });
    await tenant.objects.write(`${prefix}logo.png`, 'a picture', 'image/png');
    await runStep('fail-clips', { tenant: tenant.id, asset_id: asset, job_id, kind: 'clips', failure });
    expect(await tenant.objects.keys(prefix)).toEqual([]);
  });

  it.each([
    ['fail-translation', { failure }],
    ['finish-translation', { ends: [{ language_id: spanish, failure }] }],
  ] as const)('of answers of the engine: %s', async (step, more) => {
    const { asset } = await transcribed();
    const { job_id } = await translation(asset);
    const prefix = derivedKey(tenant.id, asset, {
      step: 'translating',
      version: job_id,
      name: `${spanish}/`,
    });
    await tenant.objects.write(`${prefix}0.json`, '[]', 'application/json');
    await runStep(step, { tenant: tenant.id, asset_id: asset, job_id, kind: 'translation', ...more });
    expect(await tenant.objects.keys(prefix)).toEqual([]);
  });
});

describe('an upload whose sound is longer than it declared', () => {
  const claimed_ms = 500;

  /** Extracts three seconds of sound, with this quota of minutes to transcribe. */
  async function prepared(transcription_minutes: number) {
    const { id, job, assets, jobs } = await processed(tenant);
    const tone = ['-f', 'lavfi', '-i', 'sine=duration=3', '-ar', '16000'];
    await tenant.objects.write(
      sourceKey(tenant.id, id),
      await readFile(await makeMedia('tone.wav', tone)),
      'audio/wav',
    );
    const facts = { duration_ms: claimed_ms, audio_channels: 1, analyses: running };
    await assets.advance({ asset_id: id, job_id: job }, { stage: 'audio', progress: 0 }, new Date(), facts);
    const stored = await jobs.get(id, job);
    await tenant.table.put({ ...stored, own: { ...stored.own, quotas: { transcription_minutes } } } as never);
    return runStep('prepare-audio', { tenant: tenant.id, asset_id: id, job_id: job });
  }
  const running = { transcription: { status: 'running', error: null } } as const;

  it('reserves the difference from the quota of the tenant', async () => {
    expect(await prepared(10)).toMatchObject({ audio: { duration_ms: expect.any(Number) } });
  });

  it('fails if the quota has no room for it', async () => {
    await expect(prepared(0.01)).rejects.toMatchObject({ code: 'quota_exceeded' });
  });
});

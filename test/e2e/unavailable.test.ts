import { describe, expect } from 'vitest';
import type { IngestJob } from '../../client/index.ts';
import type { LocalCloud } from '../support/local-cloud.ts';
import { ended, finish, firstSeconds, it, upload } from './support.ts';

let cloud: LocalCloud;
let job: IngestJob;
let assetId: string;
let spanish: string;
let german: string;

it.beforeAll(async ({ cloud: running }) => {
  cloud = running;
  const { json } = await cloud.call('GET', '/v1/languages?items=100');
  const idOf = (tag: string) => json.data.find(({ code }: { code: string }) => code === tag).language_id;
  [spanish, german] = [idOf('es'), idOf('de')];
  const template = await cloud.call('POST', '/v1/templates', {
    name: 'Everything',
    enabled_ocr: true,
    translation_language_ids: [german],
    voice_over_language_ids: [german],
  });
  const blacklist = {
    name: 'Rude',
    words: ['darn'],
    language_id: spanish,
    template_id: template.json.template_id,
  };
  expect((await cloud.call('POST', '/v1/blacklists', blacklist)).status).toBe(201);
  const sent = await upload(cloud, firstSeconds(6), {
    template_id: template.json.template_id,
    mc_model: 'turbo',
  });
  assetId = sent.assetId;
  job = await ended(cloud, assetId, await finish(cloud, assetId, sent.etags));
});

describe('an upload whose template requests unsupported languages', () => {
  it('partially succeeds: the transcription is ready, and unsupported languages have an error', async () => {
    expect(job.status).toBe('partially_succeeded');
    expect(job.items.map(({ kind, language_id, status }) => [kind, language_id, status])).toEqual([
      ['transcription', undefined, 'succeeded'],
      ['ocr', undefined, 'succeeded'],
      ['word_lists', undefined, 'succeeded'],
      ['translation', german, 'failed'],
      ['voice_over', german, 'failed'],
    ]);
    for (const { status, error } of job.items) {
      if (status === 'failed')
        expect(error).toMatchObject({ code: 'language_unsupported', retryable: false });
    }
    expect(job.result!.transcription_ids).toEqual([job.items[0]!.result!.transcription_id]);
  });

  it('leaves a ready asset with the status of each analysis', async () => {
    const { json: asset } = await cloud.call('GET', `/v1/assets/${assetId}`);
    expect(asset).toMatchObject({ status: 'ready', mc_model: 'turbo', processed_as: 'turbo' });
    const statuses = Object.entries(asset.analyses as Record<string, { status: string }>);
    expect(Object.fromEntries(statuses.map(([kind, { status }]) => [kind, status]))).toEqual({
      transcription: 'ready',
      audio_tracks: 'ready',
      sound_descriptions: 'ready',
      camera_shoots: 'ready',
      faces: 'ready',
      autocenter: 'ready',
      metadata: 'ready',
      ocr: 'ready',
      word_lists: 'ready',
    });
    expect(asset.translations).toMatchObject([{ language_id: german, status: 'unavailable' }]);
    expect(asset.voice_overs).toMatchObject([{ language_id: german, status: 'unavailable' }]);
  });

  it('causes an event of its own', async () => {
    const types = async () => {
      const { json } = await cloud.call('GET', `/v1/events?asset_id=${assetId}`);
      return json.data.map(({ type }: { type: string }) => type);
    };
    await expect.poll(types, { timeout: 120_000 }).toContain('job.partially_succeeded');
  });
});

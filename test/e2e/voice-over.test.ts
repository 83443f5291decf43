import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect } from 'vitest';
import { type IngestJob, jobEnd, type VoiceOverJob } from '../../client/index.ts';
import { hasEspeak } from '../engines/speech/espeak-installed.ts';
import { hasPocketsphinx } from '../engines/transcription/pocketsphinx-installed.ts';
import { hasApertium } from '../engines/translation/apertium-installed.ts';
import type { LocalCloud } from '../support/local-cloud.ts';
import { ended, finish, firstSeconds, it, objectsOf, upload } from './support.ts';

const skip = !hasApertium() || !hasPocketsphinx() || !hasEspeak();
const run = promisify(execFile);

describe.skipIf(skip)('a clip whose template requests a Spanish voice over and unsupported ones', () => {
  let cloud: LocalCloud;
  let asset_id: string;
  let bucket: string;
  let ingest: IngestJob;
  const clip = firstSeconds(8);
  const ids: Record<string, string> = {};

  it.beforeAll(async ({ cloud: running }) => {
    cloud = running;
    const { json } = await cloud.call('GET', '/v1/languages?items=100');
    for (const { code, language_id } of json.data) ids[code] = language_id;
    const { json: template } = await cloud.call('POST', '/v1/templates', {
      name: 'Spoken',
      voice_over_language_ids: [ids.es, ids.de, ids.en],
    });
    const sent = await upload(cloud, clip, { template_id: template.template_id });
    [asset_id, bucket] = [sent.assetId, sent.bucket];
    ingest = await ended(cloud, asset_id, await finish(cloud, asset_id, sent.etags));
  });

  const tracks = async () => (await cloud.kinora.listAudioTracks({ asset_id })).data;
  const dub = async (body: object, during: () => Promise<void>): Promise<VoiceOverJob> => {
    const { job_id } = await cloud.kinora.createVoiceOverJob({ asset_id, body });
    await during();
    const look = () => cloud.kinora.getVoiceOverJob({ asset_id, job_id });
    return jobEnd(look, () => {}, 100);
  };
  /** Downloads the file of a signed URL. */
  const saved = async ({ url }: { url: string }, name: string) => {
    const path = join(cloud.folder, name);
    await writeFile(path, Buffer.from(await (await fetch(url)).arrayBuffer()));
    return path;
  };
  const pictureOf = async (path: string) =>
    (await run('ffmpeg', ['-v', 'error', '-i', path, '-map', '0:v', '-c', 'copy', '-f', 'md5', '-'])).stdout;

  it('partially succeeds: Spanish is ready, and German has an error', async () => {
    expect(ingest.status).toBe('partially_succeeded');
    const spoken = ingest.items.filter(({ kind }) => kind === 'voice_over');
    const [track] = await tracks();
    expect(spoken).toMatchObject([
      {
        language_id: ids.es,
        status: 'succeeded',
        result: { audio_track_id: track!.audio_track_id },
      },
      { language_id: ids.de, status: 'failed', error: { code: 'language_unsupported' } },
    ]);
    expect(track).toMatchObject({ source: 'voice_over', language_id: ids.es, stale: false, video: null });
    const { json: asset } = await cloud.call('GET', `/v1/assets/${asset_id}`);
    expect(asset.voice_overs).toMatchObject([
      { language_id: ids.es, status: 'ready' },
      { language_id: ids.de, status: 'unavailable' },
      { language_id: ids.en, status: 'skipped' },
    ]);
  });

  it('speaks an edited segment again after kill -9, and keeps its picture unchanged', async () => {
    const [before] = await tracks();
    const { audio_track_id } = before!;
    const { data } = await cloud.kinora.listTranscriptions({ asset_id });
    const { transcription_id } = data.find(({ language_id }) => language_id === ids.es)!;
    const { segments } = await cloud.kinora.getTranscription({ asset_id, transcription_id });
    const { segment_id } = segments[0]!;
    const body = { text: 'Bienvenidos al cortometraje.' };
    await cloud.kinora.updateSegment({ asset_id, transcription_id, segment_id, body });
    expect((await tracks())[0]!.stale).toBe(true);

    const job = await dub({ language_ids: [ids.es!], mux: true }, async () => {
      await new Promise((resolve) => setTimeout(resolve, 1200));
      await cloud.killAll();
      await cloud.start();
    });
    const counts = { synthesised: 1, kept: segments.length - 1 };
    expect(job).toMatchObject({
      status: 'succeeded',
      progress: 1,
      items: [{ progress: 1, result: { audio_track_id, ...counts } }],
    });
    expect(await tracks()).toMatchObject([
      { audio_track_id, stale: false, created_at: before!.created_at, video: { media_type: 'video/mp4' } },
    ]);

    const fit = await cloud.kinora.getAudioTrackFit({ asset_id, audio_track_id });
    expect(fit).toMatchObject({ transcription_version: 2, ...counts });
    expect(fit.segments.map(({ segment_id, start_ms, slot_ms }) => [segment_id, start_ms, slot_ms])).toEqual(
      segments.map(({ segment_id, start_ms, end_ms }) => [segment_id, start_ms, end_ms - start_ms]),
    );

    const original = join(cloud.folder, 'original.mp4');
    await writeFile(original, clip);
    const video = await saved(
      await cloud.kinora.getAudioTrackVideoDownloadUrl({ asset_id, audio_track_id }),
      'spanish.mp4',
    );
    expect(await pictureOf(video)).toBe(await pictureOf(original));
    // The new version deletes sounds that no version uses any more.
    const kept = await objectsOf(cloud, asset_id, bucket);
    expect(kept.filter((key) => key.includes('/speech/'))).toHaveLength(segments.length);
    expect(kept.filter((key) => key.endsWith('sound.m4a'))).toHaveLength(1);
  });
});

import { readFile } from 'node:fs/promises';
import { describe, expect } from 'vitest';
import { demoVideo, makeMedia } from '../fixtures/media.ts';
import type { LocalCloud } from '../support/local-cloud.ts';
import { finish, it, objectsOf, upload } from './support.ts';

let cloud: LocalCloud;
/** An asset in a collection that was deleted. It leaves the collection while the other tests run. */
let collected: string;
it.beforeAll(async ({ cloud: running }) => {
  cloud = running;
  const { kinora } = cloud;
  const { collection_id } = await kinora.createCollection({ body: { name: 'To be deleted' } });
  collected = (await kinora.createAsset({ body: { filename: 'talk.mp4', collection_id } })).asset_id;
  await kinora.deleteCollection({ collection_id });
});

/** Two hours of a tone, so that the test can cancel the job during voice activity detection. */
const longTone = () =>
  makeMedia('tone.wav', [
    ...['-f', 'lavfi', '-i', 'sine=frequency=440:sample_rate=8000:duration=7200'],
    ...['-c:a', 'pcm_mulaw'],
  ]);
const twice = ['-stream_loop', '1', '-i', demoVideo];
/** The demo film twice: the recognizer works on it for about ten seconds. */
const longTalk = () => makeMedia('talk.mp4', [...twice, '-vn', '-c:a', 'copy']);
/** Its picture alone, which takes some time to decode and analyze. */
const longFilm = () => makeMedia('film.mp4', [...twice, '-an', '-c:v', 'copy']);

const runs = (program: RegExp) => cloud.programs().some((name) => program.test(name));

describe('a job that is canceled', () => {
  it.each([
    ['the audio is prepared', 'audio', /^ffmpeg/, longTone],
    ['the speech is recognized', 'transcription', /^pocketsphinx/, longTalk],
    ['the pictures are analyzed', 'pictures', /^ffmpeg/, longFilm],
  ] as const)(
    'ends its programs within five seconds and leaves nothing, if it is canceled while %s',
    async (_, stage, program, media) => {
      const { assetId, etags, bucket } = await upload(cloud, await readFile(await media()));
      const job_id = await finish(cloud, assetId, etags);
      const asset = async () => (await cloud.call('GET', `/v1/assets/${assetId}`)).json;
      await expect.poll(async () => (await asset()).stage, { timeout: 120_000, interval: 50 }).toBe(stage);
      await expect.poll(() => runs(program), { timeout: 120_000, interval: 20 }).toBe(true);

      const canceled = await cloud.call('POST', `/v1/jobs/${job_id}/cancel`);
      expect(canceled.json).toMatchObject({ job_id, status: 'canceled', error: { code: 'canceled' } });
      expect(await asset()).toMatchObject({ status: 'failed', error: { code: 'canceled' } });
      await expect.poll(() => cloud.programs(), { timeout: 5000, interval: 50 }).toEqual([]);

      const left = () => objectsOf(cloud, assetId, bucket);
      await expect.poll(left, { timeout: 120_000 }).toEqual([]);
      expect((await cloud.call('GET', `/v1/assets/${assetId}/transcriptions`)).json.data).toEqual([]);
      const uploading = async () =>
        (await cloud.call('POST', `/v1/assets/${assetId}/start_upload`, { parts: 1 })).status;
      await expect.poll(uploading, { timeout: 120_000 }).toBe(200);

      const events = async () => (await cloud.call('GET', `/v1/events?asset_id=${assetId}`)).json.data;
      const types = async () => (await events()).map(({ type }: { type: string }) => type);
      await expect.poll(types, { timeout: 120_000 }).toContain('job.canceled');
      expect(await types()).not.toContain('job.failed');
    },
    240_000,
  );
});

describe('the deletion of a collection', () => {
  // Its machine waits for 35 s before it empties the collection.
  it('releases its assets', { timeout: 120_000 }, async () => {
    const collectionOf = async () => (await cloud.kinora.getAsset({ asset_id: collected })).collection_id;
    await expect.poll(collectionOf, { timeout: 90_000, interval: 200 }).toBeNull();
  });
});

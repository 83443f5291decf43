import { ListExecutionsCommand, ListStateMachinesCommand, SFNClient } from '@aws-sdk/client-sfn';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type LocalCloud, localCloud } from '../support/local-cloud.ts';
import { ended, finish, firstSeconds, objectsOf, upload } from './support.ts';

const POINTS = 1;
/** Longer than the ingest of the short clip, so that the kill can hit any part of it. */
const WINDOW_MS = 3000;

let cloud: LocalCloud;
let clip: Uint8Array;
let undisturbed: { transcript: string[]; objects: string[] };

beforeAll(async () => {
  clip = firstSeconds(6);
  cloud = await localCloud();
  const done = await ingest();
  undisturbed = {
    transcript: await transcriptOf(done),
    objects: await objectsOf(cloud, done.assetId, done.bucket),
  };
});
afterAll(() => cloud.remove());

async function ingest(during: () => Promise<void> = async () => {}) {
  const { assetId, etags, bucket } = await upload(cloud, clip);
  const jobId = await finish(cloud, assetId, etags);
  await during();
  const job = await ended(cloud, assetId, jobId);
  return { assetId, bucket, jobId, job };
}

async function transcriptOf({ assetId }: { assetId: string }): Promise<string[]> {
  const { json } = await cloud.call('GET', `/v1/assets/${assetId}/transcriptions`);
  expect(json.data).toHaveLength(1);
  const { json: whole } = await cloud.call(
    'GET',
    `/v1/assets/${assetId}/transcriptions/${json.data[0].transcription_id}`,
  );
  expect(whole.version).toBe(1);
  return whole.segments.map((segment: { text: string }) => segment.text);
}

async function executionsOf(jobId: string): Promise<string[]> {
  const sfn = new SFNClient({
    endpoint: cloud.ready.stepfunctions_url,
    region: cloud.ready.region,
    credentials: { accessKeyId: cloud.ready.access_key_id, secretAccessKey: cloud.ready.secret_access_key },
  });
  const { stateMachines = [] } = await sfn.send(new ListStateMachinesCommand({}));
  const names: string[] = [];
  for (const { stateMachineArn } of stateMachines) {
    const { executions = [] } = await sfn.send(
      new ListExecutionsCommand({ stateMachineArn, maxResults: 1000 }),
    );
    names.push(...executions.filter(({ name }) => name === jobId).map(({ status }) => status!));
  }
  return names;
}

describe('kill -9 of all processes in the middle of an ingest', () => {
  const points = Array.from({ length: POINTS }, () => Math.round(Math.random() * WINDOW_MS));

  it.each(points)(
    'loses nothing and repeats nothing, after %i ms',
    async (delay) => {
      const done = await ingest(async () => {
        await new Promise((resolve) => setTimeout(resolve, delay));
        await cloud.killAll();
        await cloud.start();
      });
      expect(done.job).toMatchObject({ status: 'succeeded', progress: 1 });
      expect(await transcriptOf(done)).toEqual(undisturbed.transcript);
      expect(await objectsOf(cloud, done.assetId, done.bucket)).toEqual(undisturbed.objects);
      // After the job ends, its machine still sends webhooks.
      const settled = () => executionsOf(done.jobId);
      await expect.poll(settled, { timeout: 120_000, interval: 100 }).toEqual(['SUCCEEDED']);
    },
    120_000,
  );
});

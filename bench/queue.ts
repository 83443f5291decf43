/** Measures how long a short clip waits behind a long talk of the same tenant, and of another tenant. */
import { openAsBlob } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { jobEnd, Kinora, uploadAsset } from '../client/index.ts';
import { tenantScopes } from '../contract/kit/scopes.ts';
import { ApiKeys } from '../platform/records/api-keys.ts';
import { asTenantId } from '../shared/tenant.ts';
import { firstSeconds } from '../test/e2e/support.ts';
import { type LocalCloud, localCloud } from '../test/support/local-cloud.ts';
import { makeTalk } from '../test/support/talk.ts';
import { median, type Report, type Row } from './report.ts';

const TALK_MINUTES = 60;
const CLIP_SECONDS = 12;
const ROUNDS = 3;

export async function run(): Promise<Report> {
  const dir = await mkdtemp(join(tmpdir(), 'kinora-queue-'));
  const cloud = await localCloud();
  try {
    const clip = join(dir, 'clip.mp4');
    await writeFile(clip, firstSeconds(CLIP_SECONDS));
    const talk = await makeTalk({ minutes: TALK_MINUTES, seed: 9, dir, format: 'm4a' });
    const { kinora } = cloud;
    const other = await clientOf(cloud, 'other');
    // A first round warms the functions, because they are also warm while the talk runs.
    await secondsOf(kinora, clip);
    const alone = await rounds(() => secondsOf(kinora, clip));
    const { asset_id } = await kinora.createAsset({ body: { filename: 'talk.m4a' } });
    const { job_id } = await uploadAsset(kinora, asset_id, await openAsBlob(talk.file));
    const look = () => kinora.getIngestJob({ asset_id, job_id });
    while ((await kinora.getAsset({ asset_id })).stage !== 'transcription') await sleep(100);
    const own = await rounds(() => secondsOf(kinora, clip));
    const others = await rounds(() => secondsOf(other, clip));
    const { status, progress } = await look();
    await kinora.cancelJob({ job_id });
    await jobEnd(look);
    const row = (name: string, seconds: number): Row => ({
      name,
      values: [seconds.toFixed(1), (seconds / alone).toFixed(2)],
    });
    return {
      title: 'A short clip behind a long talk',
      method:
        `A clip of ${CLIP_SECONDS} s, from its upload until it is ready, medians of ${ROUNDS}: alone, and while a talk of ` +
        `${TALK_MINUTES} minutes is transcribed by the same local cloud on the same machine. The talk was at ` +
        `${Math.round(progress * 100)} % (${status}) when the last clip was ready, and was canceled then.`,
      columns: ['s', 'by alone'],
      rows: [
        row('alone', alone),
        row('behind the talk of its tenant', own),
        row('of another tenant', others),
      ],
      void: status === 'running' ? null : `the talk had ended before the clips: ${status}`,
    };
  } finally {
    await cloud.remove();
    await rm(dir, { recursive: true });
  }
}

async function rounds(measure: () => Promise<number>): Promise<number> {
  const seconds: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) seconds.push(await measure());
  return median(seconds);
}

async function secondsOf(kinora: Kinora, file: string): Promise<number> {
  const started = performance.now();
  const { asset_id } = await kinora.createAsset({ body: { filename: 'clip.mp4' } });
  const { job_id } = await uploadAsset(kinora, asset_id, await openAsBlob(file));
  const { status } = await jobEnd(() => kinora.getIngestJob({ asset_id, job_id }), undefined, 100);
  if (status !== 'succeeded') throw new Error(`The clip ended ${status}.`);
  return (performance.now() - started) / 1000;
}

async function clientOf({ ready }: LocalCloud, tenant: string): Promise<Kinora> {
  const credentials = { accessKeyId: ready.access_key_id, secretAccessKey: ready.secret_access_key };
  const client = new DynamoDBClient({ endpoint: ready.dynamodb_url, region: ready.region, credentials });
  const keys = new ApiKeys(client, ready.auth_table);
  const { text } = await keys.create({ tenant: asTenantId(tenant), scopes: tenantScopes, mode: 'test' });
  return new Kinora({ url: ready.api_url, apiKey: text });
}

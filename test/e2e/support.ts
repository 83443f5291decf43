/** Uploads files and waits for their jobs, as a program that uses the client. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ListMultipartUploadsCommand, ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3';
import { test } from 'vitest';
import { type IngestJob, jobEnd } from '../../client/index.ts';
import { removeMedia } from '../fixtures/media.ts';
import { type LocalCloud, localCloud } from '../support/local-cloud.ts';

/**
 * Tests with a local cloud, which the files of a worker share. It starts at its first use, and is removed after the last
 * file.
 */
// biome-ignore lint/correctness/noEmptyPattern: vitest reads the needed fixtures from the pattern
export const it = test.extend('cloud', { scope: 'worker' }, async ({}, { onCleanup }) => {
  const cloud = await localCloud();
  onCleanup(async () => {
    removeMedia();
    await cloud.remove();
  });
  return cloud;
});

export function firstSeconds(seconds: number): Uint8Array {
  const folder = mkdtempSync(join(tmpdir(), 'kinora-clip-'));
  const out = join(folder, 'clip.mp4');
  const film = ['-i', 'content/demo/kinora-demo.mp4', '-t', String(seconds), '-c', 'copy'];
  execFileSync('ffmpeg', ['-v', 'error', ...film, out]);
  const bytes = readFileSync(out);
  rmSync(folder, { recursive: true });
  return bytes;
}

export async function upload({ kinora }: LocalCloud, bytes: Uint8Array, fields: object = {}) {
  const { asset_id } = await kinora.createAsset({ body: { filename: 'talk.mp4', ...fields } });
  const ticket = await kinora.startUpload({ asset_id, body: { parts: 1 } });
  const { url } = ticket.parts[0]!;
  const sent = await fetch(url, { method: 'PUT', body: Buffer.from(bytes) });
  if (!sent.ok) throw new Error(`The part was refused: ${sent.status} ${await sent.text()}`);
  // The URL is path-style: it starts with the bucket.
  const bucket = new URL(url).pathname.split('/')[1]!;
  return { assetId: asset_id, etags: [sent.headers.get('etag')!], bucket };
}

export async function finish({ kinora }: LocalCloud, asset_id: string, etags: string[]): Promise<string> {
  return (await kinora.finishUpload({ asset_id, body: { etags } })).job_id;
}

/** Returns the job after it has ended. Calls `seen` with each progress. */
export function ended(
  { kinora }: LocalCloud,
  asset_id: string,
  job_id: string,
  seen: (progress: number) => void = () => {},
): Promise<IngestJob> {
  const look = () => kinora.getIngestJob({ asset_id, job_id });
  return jobEnd(look, ({ progress }) => seen(progress), 100);
}

/** Lists all objects and unfinished uploads of an asset, as paths without ids. */
export async function objectsOf(cloud: LocalCloud, assetId: string, Bucket: string): Promise<string[]> {
  const s3 = new S3Client({
    endpoint: cloud.ready.s3_url,
    region: cloud.ready.region,
    forcePathStyle: true,
    credentials: { accessKeyId: cloud.ready.access_key_id, secretAccessKey: cloud.ready.secret_access_key },
  });
  const { Contents = [] } = await s3.send(
    new ListObjectsV2Command({ Bucket, Prefix: `t/demo/assets/${assetId}/` }),
  );
  const { Uploads = [] } = await s3.send(new ListMultipartUploadsCommand({ Bucket }));
  const keys = [...Contents, ...Uploads].map(({ Key }) => Key!).filter((key) => key.includes(assetId));
  return keys.map((key) => key.split(assetId)[1]!.replace(/[0-9a-f-]{36}/g, 'ID')).sort();
}

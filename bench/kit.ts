/** Set-up and measurements that several benchmarks share. */
import { openAsBlob } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { jobEnd, uploadAsset } from '../client/index.ts';
import { type LocalCloud, localCloud } from '../test/support/local-cloud.ts';

/** Runs `work` in a temporary folder, then deletes the folder. */
export async function inFolder<Result>(work: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'kinora-bench-'));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Runs `work` without the log lines of requests and steps. */
export async function silently<Result>(work: () => Promise<Result>): Promise<Result> {
  const { write } = process.stdout;
  process.stdout.write = () => true;
  try {
    return await work();
  } finally {
    process.stdout.write = write;
  }
}

/** Runs `work` with a separate local cloud, and a temporary folder for media. */
export const inCloud = <Result>(work: (cloud: LocalCloud, folder: string) => Promise<Result>) =>
  inFolder(async (folder) => {
    const cloud = await localCloud();
    try {
      return await work(cloud, folder);
    } finally {
      await cloud.remove();
    }
  });

/** Uploads and processes a file. Measures the whole time, and the longest time without progress. */
export async function ingested(cloud: LocalCloud, file: string) {
  const { asset_id } = await cloud.kinora.createAsset({ body: { filename: basename(file) } });
  const started = performance.now();
  const { job_id } = await uploadAsset(cloud.kinora, asset_id, await openAsBlob(file));
  let moved = performance.now();
  let still = 0;
  let last = -1;
  const look = () => cloud.kinora.getIngestJob({ asset_id, job_id });
  const job = await jobEnd(look, ({ progress }) => {
    if (progress !== last) moved = performance.now();
    last = progress;
    still = Math.max(still, performance.now() - moved);
  });
  return { asset_id, job, seconds: (performance.now() - started) / 1000, stillSeconds: still / 1000 };
}

/** Returns why a run does not count: two control runs differ by more than `tolerance` percent. Otherwise null. */
export function deviationOf(ratio: number, tolerance: number): string | null {
  const percent = Math.abs(ratio - 1) * 100;
  return percent <= tolerance ? null : `The control deviated from itself by ${percent.toFixed(1)} %.`;
}

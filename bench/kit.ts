/** Set-up and measurements that several benchmarks share. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Runs `work` in a temporary folder, then deletes the folder. */
export async function inFolder<Result>(work: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'kinora-bench-'));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

export async function withoutLogLines<Result>(work: () => Promise<Result>): Promise<Result> {
  const { write } = process.stdout;
  process.stdout.write = () => true;
  try {
    return await work();
  } finally {
    process.stdout.write = write;
  }
}

/** Returns a sentence if two control runs differ by more than `tolerance` percent, so that the run does not count. Otherwise null. */
export function deviationOf(ratio: number, tolerance: number): string | null {
  const percent = Math.abs(ratio - 1) * 100;
  return percent <= tolerance ? null : `The control deviated from itself by ${percent.toFixed(1)} %.`;
}

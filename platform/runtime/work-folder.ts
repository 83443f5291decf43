/** A folder on the disk of a step, for as long as it works. */
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const PREFIX = 'kinora-step-';

/**
 * The folder is gone afterwards. Work that goes on after its step ended is frozen with its folder, and gigabytes of it would be missed by
 * the next invocation; so that removes what lies there. A function has the folder for temporary files, and its processes, to itself, here as
 * on Lambda; others share it, and are left alone.
 * @param step what works there, for whoever finds the folder
 */
export async function inWorkFolder<Result>(
  step: string,
  work: (folder: string) => Promise<Result>,
): Promise<Result> {
  if (process.env.AWS_LAMBDA_FUNCTION_NAME !== undefined) await removeLeftOver();
  const folder = await mkdtemp(join(tmpdir(), `${PREFIX}${step}-`));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function removeLeftOver(): Promise<void> {
  const names = await readdir(tmpdir());
  for (const name of names.filter((one) => one.startsWith(PREFIX)))
    await rm(join(tmpdir(), name), { recursive: true, force: true });
}

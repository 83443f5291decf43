/** A folder on the disk of a step, for as long as it works. */
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const PREFIX = 'kinora-step-';
/** Folders that engines make for themselves: engines/transcription/pocketsphinx.ts, engines/ocr/tesseract.ts. */
const prefixes: readonly string[] = [PREFIX, 'pocketsphinx-', 'tesseract-'];

/**
 * The folder is gone afterwards.
 * @param step what works there, for whoever finds the folder
 */
export async function inWorkFolder<Result>(
  step: string,
  work: (folder: string) => Promise<Result>,
): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), `${PREFIX}${step}-`));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Removes what invocations before this one left. The process of one that ran out of time or memory is gone, but its disk is
 * the next one's ("Understanding the Lambda execution environment lifecycle": the content of /tmp stays); and work that
 * goes on after its step ended is frozen with its folder. Gigabytes of either would be missed. A function has the folder
 * for temporary files to itself, here as on Lambda; others share it, and are left alone.
 */
export async function clearWorkFolders(): Promise<void> {
  if (process.env.AWS_LAMBDA_FUNCTION_NAME === undefined) return;
  const names = await readdir(tmpdir()).catch(() => []);
  for (const name of names.filter((one) => prefixes.some((prefix) => one.startsWith(prefix))))
    await rm(join(tmpdir(), name), { recursive: true, force: true });
}

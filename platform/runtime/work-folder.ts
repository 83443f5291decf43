/** A temporary folder for one run of a step. */
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const PREFIX = 'kinora-step-';
/** Prefixes of the folders of engines: engines/transcription/pocketsphinx.ts, engines/ocr/tesseract.ts. */
const prefixes: readonly string[] = [PREFIX, 'pocketsphinx-', 'tesseract-'];

/**
 * Deletes the folder afterwards.
 * @param step name for the folder
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
 * Deletes the folders of earlier invocations. If one ran out of time or memory, its process has ended, but the next one
 * has the same disk ("Understanding the Lambda execution environment lifecycle": the content of /tmp stays). Work that
 * continues after its step is frozen with its folder. Either may be gigabytes. A function has the temporary folder to
 * itself, here as on Lambda; in a shared one, nothing is deleted.
 */
export async function clearWorkFolders(): Promise<void> {
  if (process.env.AWS_LAMBDA_FUNCTION_NAME === undefined) return;
  const names = await readdir(tmpdir()).catch(() => []);
  for (const name of names.filter((one) => prefixes.some((prefix) => one.startsWith(prefix))))
    await rm(join(tmpdir(), name), { recursive: true, force: true });
}

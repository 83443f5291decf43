/** A temporary folder for one run of a step. */
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const PREFIX = 'kinora-step-';
/** Prefixes of the folders of engines: engines/transcription/pocketsphinx.ts, engines/ocr/tesseract.ts. */
const prefixes: readonly string[] = [PREFIX, 'pocketsphinx-', 'tesseract-'];

/** Runs work in a new temporary folder, then deletes the folder. */
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
 * Deletes the folders of earlier invocations. An invocation that runs out of time or memory leaves its folder, and the
 * next invocation has the same disk ("Understanding the Lambda execution environment lifecycle": the content of /tmp
 * stays). Folders may have gigabytes. Only functions delete them, because other processes share /tmp.
 */
export async function clearWorkFolders(): Promise<void> {
  if (process.env.AWS_LAMBDA_FUNCTION_NAME === undefined) return;
  const names = await readdir(tmpdir()).catch(() => []);
  for (const name of names.filter((one) => prefixes.some((prefix) => one.startsWith(prefix))))
    await rm(join(tmpdir(), name), { recursive: true, force: true });
}

/**
 * File operations that are safe against crashes. When an operation returns, its change is on the disk. If a crash interrupts an
 * operation, nothing has changed.
 */
import { open, readFile, rename, rm, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/** Replaces a JSON document atomically: readers get either the old or the new document. */
export async function writeJson(path: string, value: unknown, scratch: string): Promise<void> {
  const draft = join(scratch, `${basename(path)}.${crypto.randomUUID()}`);
  const file = await open(draft, 'wx');
  try {
    await file.writeFile(JSON.stringify(value));
    await file.sync();
    await file.close();
    await rename(draft, path);
  } catch (error) {
    await file.close().catch(() => {});
    await rm(draft, { force: true });
    throw error;
  }
  await syncDirectory(dirname(path));
}

export async function readJson<T>(path: string): Promise<T> {
  return JSON.parse(await readFile(path, 'utf8')) as T;
}

export async function removeFile(path: string): Promise<void> {
  await unlink(path);
  await syncDirectory(dirname(path));
}

/** Writes the renames and removals in a directory to the disk. */
export async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, 'r');
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}

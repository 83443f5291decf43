/** Makes a folder contain exactly these files. Writes only files that differ. */
import { existsSync, globSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

/** Paths below the folder. */
export interface Written {
  readonly changed: readonly string[];
  readonly removed: readonly string[];
}

/** Suffix of the names of unfinished files. Each is renamed after it is written completely. */
export const unfinished = '.unfinished';

/** @param files bodies by path below the folder */
export function writeFolder(folder: string, files: ReadonlyMap<string, Buffer>): Written {
  const changed = [...files.keys()].filter((name) => writeIfChanged(join(folder, name), files.get(name)!));
  const present = globSync('**/*', { cwd: folder, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll('\\', '/'));
  const removed = present.filter((name) => !files.has(name) && !name.endsWith(unfinished));
  for (const name of removed) rmSync(join(folder, name), { force: true });
  return { changed, removed };
}

export function writeIfChanged(file: string, body: Buffer): boolean {
  if (existsSync(file) && readFileSync(file).equals(body)) return false;
  writeWhole(file, body);
  return true;
}

/** Renames the file, so that a concurrent reader sees the old bytes or the new bytes, never a part. */
export function writeWhole(file: string, body: Buffer): void {
  mkdirSync(dirname(file), { recursive: true });
  const draft = `${file}.${process.pid}${unfinished}`;
  writeFileSync(draft, body);
  renameSync(draft, file);
}

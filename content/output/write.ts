/** Brings a folder to exactly these files, touching only those that differ. */
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

export interface Written {
  readonly changed: number;
  readonly removed: number;
}

/** @param files bodies by path below the folder */
export function writeFolder(folder: string, files: ReadonlyMap<string, Buffer>): Written {
  const changed = [...files].filter(([name, body]) => writeIfChanged(join(folder, name), body)).length;
  const present = globSync('**/*', { cwd: folder, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)));
  const stale = present.filter((name) => !files.has(name.replaceAll('\\', '/')));
  for (const name of stale) rmSync(join(folder, name));
  return { changed, removed: stale.length };
}

export function writeIfChanged(file: string, body: Buffer): boolean {
  if (existsSync(file) && readFileSync(file).equals(body)) return false;
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, body);
  return true;
}

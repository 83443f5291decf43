/** Knows whether something built is older than what it was built from, by content rather than by time. */
import { hash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { root } from './paths.ts';

/** Every file below a path, sorted; the path itself if it is a file; nothing if it is absent. */
function filesBelow(path: string): string[] {
  if (!existsSync(path)) return [];
  if (statSync(path).isFile()) return [path];
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

/** SHA-256 over names and contents of everything below these paths, relative to the repository. */
export function fingerprint(paths: readonly string[]): string {
  const lines = paths
    .flatMap((path) => filesBelow(join(root, path)))
    .map((file) => `${relative(root, file)} ${hash('sha256', readFileSync(file))}`);
  return hash('sha256', lines.join('\n'));
}

export interface Stamp {
  /** Fingerprint of the sources. */
  readonly sources: string;
  /** Fingerprint of what was made, where another program might change it. */
  readonly output?: string;
  /** Whether what was made was checked as well, where that takes long. */
  readonly isChecked?: boolean;
}

export function readStamp(file: string): Stamp | null {
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Stamp) : null;
}

export function writeStamp(file: string, stamp: Stamp): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify(stamp)}\n`);
}

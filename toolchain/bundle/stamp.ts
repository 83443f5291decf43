/** Detects whether a build result is older than its sources, by comparing content instead of times. */
import { hash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { root } from './paths.ts';

/** Returns all files below a path, sorted. For a file, returns its path. A missing path has no files. */
function filesBelow(path: string): string[] {
  if (!existsSync(path)) return [];
  if (statSync(path).isFile()) return [path];
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

/** Returns the SHA-256 of the names and contents of all files below these paths. Names are relative to the repository. */
export function fingerprint(paths: readonly string[]): string {
  const lines = paths
    .flatMap((path) => filesBelow(join(root, path)))
    .map((file) => `${relative(root, file)} ${hash('sha256', readFileSync(file))}`);
  return hash('sha256', lines.join('\n'));
}

interface Stamp {
  readonly sources: string;
  /** The fingerprint of the build result. Set if another program might change the result. */
  readonly output?: string;
  /** Whether the build result was also checked. Set if the check takes long. */
  readonly isChecked?: boolean;
}

export function readStamp(file: string): Stamp | null {
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Stamp) : null;
}

export function writeStamp(file: string, stamp: Stamp): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify(stamp)}\n`);
}

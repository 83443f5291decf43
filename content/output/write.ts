/** Writes files to a folder, so that it contains exactly these files. Writes only files that differ. */
import { createHash } from 'node:crypto';
import {
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { defined } from '../../shared/checked-access.ts';

/** Paths relative to the folder. */
interface Written {
  readonly changed: readonly string[];
  readonly removed: readonly string[];
}

/** Suffix of the names of unfinished files. Each is renamed after it is written completely. */
const unfinished = '.unfinished';

/** @param files the content of each file; the key is its path relative to `folder` */
export function writeFolder(folder: string, files: ReadonlyMap<string, Buffer>): Written {
  const changed = [...files.keys()].filter((name) =>
    writeIfChanged(join(folder, name), defined(files.get(name))),
  );
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
function writeWhole(file: string, body: Buffer): void {
  mkdirSync(dirname(file), { recursive: true });
  const draft = `${file}.${process.pid}${unfinished}`;
  writeFileSync(draft, body);
  renameSync(draft, file);
}

const KEEP_UNUSED_MS = 24 * 3_600_000;

export const sha256 = (data: string | Uint8Array): string => createHash('sha256').update(data).digest('hex');

export interface Cache {
  /** Returns the cached result for these inputs, or computes and caches it. */
  get(kind: string, inputs: readonly string[], make: () => Promise<Buffer>): Promise<Buffer>;
  /** Removes old results that this build did not use. Other builds share the folder, so recent results stay. */
  prune(): void;
}

export function openCache(folder: string): Cache {
  mkdirSync(folder, { recursive: true });
  const used = new Set<string>();
  const isOld = (name: string) => {
    const made = statSync(join(folder, name), { throwIfNoEntry: false })?.mtimeMs ?? 0;
    return Date.now() - made > KEEP_UNUSED_MS;
  };

  return {
    async get(kind, inputs, make) {
      const name = `${sha256(inputs.join('\0'))}.${kind}`;
      used.add(name);
      const file = join(folder, name);
      if (existsSync(file)) return readFileSync(file);
      const made = await make();
      writeWhole(file, made);
      return made;
    },
    prune() {
      const unused = readdirSync(folder).filter((name) => !used.has(name) && !name.endsWith(unfinished));
      for (const name of unused.filter(isOld)) rmSync(join(folder, name), { force: true });
    },
  };
}

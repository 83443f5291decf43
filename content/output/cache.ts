/** A cache of build results by their inputs, one file each. */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { unfinished, writeWhole } from './write.ts';

const KEEP_UNUSED_MS = 24 * 3_600_000;

export const sha256 = (data: string | Uint8Array): string => createHash('sha256').update(data).digest('hex');

export interface Cache {
  /** Returns the cached result for these inputs, or computes and caches it. */
  get(kind: string, inputs: readonly string[], make: () => Promise<Buffer>): Promise<Buffer>;
  /** Removes old results that this build did not use. Other builds share the folder, so recent ones stay. */
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

/** Results of earlier builds by what they were made from, one file each. */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { unfinished, writeWhole } from './write.ts';

export const sha256 = (data: string | Uint8Array): string => createHash('sha256').update(data).digest('hex');

export interface Cache {
  /** The result for these inputs: from an earlier build, or made now and kept. */
  get(kind: string, inputs: readonly string[], make: () => Promise<Buffer>): Promise<Buffer>;
  /** Removes results that this build did not ask for. */
  prune(): void;
}

export function openCache(folder: string): Cache {
  mkdirSync(folder, { recursive: true });
  const used = new Set<string>();

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
      const stale = readdirSync(folder).filter((name) => !used.has(name) && !name.endsWith(unfinished));
      for (const name of stale) rmSync(join(folder, name), { force: true });
    },
  };
}

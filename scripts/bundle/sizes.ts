/** The accepted size of every bundle, to the byte. A change is a decision: `node scripts/bundle.ts --accept-sizes`. */
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { lambdasFolder, root } from './paths.ts';

export const sizesFile = join(root, 'test', 'infra', 'bundle-sizes.json');

/** Bytes by logical id. */
export type Sizes = Readonly<Record<string, number>>;

export function bundleFile(name: string): string {
  return join(lambdasFolder, name, 'index.mjs');
}

export function measureSizes(names: readonly string[]): Sizes {
  return Object.fromEntries([...names].sort().map((name) => [name, statSync(bundleFile(name)).size]));
}

export function acceptedSizes(): Sizes {
  return JSON.parse(readFileSync(sizesFile, 'utf8')) as Sizes;
}

export function acceptSizes(sizes: Sizes): void {
  writeFileSync(sizesFile, `${JSON.stringify(sizes, null, 2)}\n`);
}

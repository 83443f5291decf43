/** The accepted size of every bundle, to a KB. A change is a decision: `node toolchain/bundle.ts --accept-sizes`. */
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { lambdasFolder, root } from './paths.ts';

export const sizesFile = join(root, 'test', 'infra', 'bundle-sizes.json');

/** How far a bundle may be from its accepted size. */
export const SIZE_TOLERANCE_BYTES = 1024;

/** Bytes by logical id, and by `LogicalId/files/name` for what ships beside a bundle. */
export type Sizes = Readonly<Record<string, number>>;

export function bundleFile(name: string): string {
  return join(lambdasFolder, name, 'index.mjs');
}

export function measureSizes(names: readonly string[]): Sizes {
  return Object.fromEntries(
    [...names].sort().flatMap((name) => [[name, statSync(bundleFile(name)).size], ...sizesBeside(name)]),
  );
}

/**
 * Files beside a bundle, their names without the hash. Compressed variants are left out: their bytes are
 * zlib's and differ between processors.
 */
function sizesBeside(name: string): [file: string, bytes: number][] {
  const folder = join(lambdasFolder, name, 'files');
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((file) => !/\.(br|gz)$/.test(file))
    .map((file): [string, number] => [
      `${name}/files/${file.replace(/\.[0-9A-Za-z]{8}(?=\.)/, '')}`,
      statSync(join(folder, file)).size,
    ])
    .sort();
}

export function acceptedSizes(): Sizes {
  return JSON.parse(readFileSync(sizesFile, 'utf8')) as Sizes;
}

export function acceptSizes(sizes: Sizes): void {
  writeFileSync(sizesFile, `${JSON.stringify(sizes, null, 2)}\n`);
}

import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../../scripts/bundle/paths.ts';

/** What each part may import of ours, beside itself. */
const allowed: Readonly<Record<string, readonly string[]>> = {
  contract: [],
  'lambdas/domain': ['contract'],
  'lambdas/data': ['contract', 'lambdas/domain'],
  'lambdas/engines': ['contract', 'lambdas/domain'],
  'lambdas/runtime': ['contract', 'lambdas/domain', 'lambdas/data', 'lambdas/engines'],
  'lambdas/kernel': [
    'contract',
    'lambdas/domain',
    'lambdas/data',
    'lambdas/engines',
    'lambdas/runtime',
    // The negotiation, which is pure.
    'lambdas/edge',
  ],
  'lambdas/api': [
    'contract',
    'lambdas/domain',
    'lambdas/data',
    'lambdas/engines',
    'lambdas/runtime',
    'lambdas/kernel',
  ],
  'lambdas/steps': [
    'contract',
    'lambdas/domain',
    'lambdas/data',
    'lambdas/engines',
    'lambdas/runtime',
    'lambdas/kernel',
  ],
  lib: ['contract'],
  // The local cloud serves what was built; scripts make it.
  local: ['scripts'],
};

/** Where an AWS SDK may be imported. */
const sdkPlaces = /^lambdas\/(data|runtime)\/|^lambdas\/engines\/[^/]+\/aws[^/]*\.ts$/;

const statement =
  /(?:^|\n)\s*(?:import|export)\b(?:[^'";]*?\bfrom)?\s*['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]/g;

const importsOf = (source: string) =>
  [...source.matchAll(statement)].map(([, fixed, dynamic]) => (fixed ?? dynamic)!);

function filesOf(part: string): string[] {
  return readdirSync(join(root, part), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(ts|mjs|js)$/.test(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join('/'));
}

const read = (file: string) => readFileSync(join(root, file), 'utf8');

/** Imports of our own files, as paths from the root. */
function ownImports(file: string): string[] {
  return importsOf(read(file))
    .filter((path) => path.startsWith('.'))
    .map((path) =>
      relative(root, join(root, dirname(file), path))
        .split(sep)
        .join('/'),
    );
}

describe('dependencies', () => {
  it.each(Object.entries(allowed))('%s imports only %j', (part, others) => {
    const reachable = [part, ...others].map((name) => `${name}/`);
    const strays = filesOf(part).flatMap((file) =>
      ownImports(file)
        .filter((path) => !reachable.some((prefix) => path.startsWith(prefix)))
        .map((path) => `${file} imports ${path}`),
    );
    expect(strays).toEqual([]);
  });

  it('keep the AWS SDK to data, the engines of AWS, and runtime', () => {
    const strays = filesOf('lambdas').filter(
      (file) =>
        !sdkPlaces.test(file) && importsOf(read(file)).some((path) => /^@(aws-sdk|smithy)\//.test(path)),
    );
    expect(strays).toEqual([]);
  });

  it('leave reading the environment to runtime', () => {
    const strays = filesOf('lambdas').filter(
      (file) => !file.startsWith('lambdas/runtime/') && /\bprocess\.env\b/.test(read(file)),
    );
    expect(strays).toEqual([]);
  });
});

describe('the reader of imports', () => {
  it.each([
    ["import { a } from './a.ts';", ['./a.ts']],
    ["import type { A } from './a.ts';", ['./a.ts']],
    ["import './a.ts';", ['./a.ts']],
    ["export * from './a.ts';", ['./a.ts']],
    ["import {\n  a,\n  b,\n} from './a.ts';\nconst from = 'x';", ['./a.ts']],
    ["const a = await import('./a.ts');", ['./a.ts']],
    ["const text = 'import nothing from here';", []],
  ])('finds in %j what it imports', (source, expected) => {
    expect(importsOf(source)).toEqual(expected);
  });
});

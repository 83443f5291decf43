/** All Lambda functions: one for each resource of the contract, one for each step, schedule and listener, the fallback, and the API reference. */
import { existsSync, globSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { resourceNames } from '../../contract/index.ts';
import { kebabCase, pascalCase } from '../../lib/shared/names.ts';
import { root } from './paths.ts';

interface Entry {
  /** The logical id of the function, which is also the name of its folder, such as `ProbeMedia`. */
  readonly name: string;
  /** Absolute path of the source. */
  readonly source: string;
}

export function lambdaEntries(): Entry[] {
  const steps = globSync('lambdas/*/steps/*.ts', { cwd: root }).sort();
  return [
    ...[...resourceNames, 'fallback', 'reference'].map((resource) => ({
      name: pascalCase(kebabCase(resource)),
      source: sourceOf('api', kebabCase(resource)),
    })),
    ...steps.map((file) => ({ name: pascalCase(basename(file, '.ts')), source: join(root, file) })),
  ];
}

export function sourceOf(layer: 'api' | 'steps', name: string): string {
  const [file] = globSync(`lambdas/*/${layer}/${name}.ts`, { cwd: root });
  return join(root, file ?? `lambdas/<subject>/${layer}/${name}.ts`);
}

/** @throws Error that lists all missing sources */
export function requireSources(entries: readonly Entry[]): void {
  const missing = entries.filter(({ source }) => !existsSync(source));
  if (missing.length === 0) return;
  const lines = missing.map(({ name, source }) => `  ${name} needs ${relative(root, source)}`);
  throw new Error(`The contract names functions that have no source:\n${lines.join('\n')}`);
}

/** Which Lambdas there are: one a resource of the contract, one a step of a state machine, the fallback and the reference. */
import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import { resourceNames } from '../../contract/index.ts';
import { kebabCase, pascalCase, stepNames } from '../../lib/jobs/definitions.ts';
import { root } from './paths.ts';

export type EntryKind = 'api' | 'step';

export interface Entry {
  /** Logical id of the function and name of its folder, e.g. `ProbeMedia`. */
  readonly name: string;
  readonly kind: EntryKind;
  /** Absolute path of the source. */
  readonly source: string;
}

export function lambdaEntries(): Entry[] {
  const api = [...resourceNames, 'fallback', 'reference'].map((resource) => ({
    name: pascalCase(kebabCase(resource)),
    kind: 'api' as const,
    source: join(root, 'lambdas', 'api', `${kebabCase(resource)}.ts`),
  }));
  const steps = stepNames().map((name) => ({
    name,
    kind: 'step' as const,
    source: join(root, 'lambdas', 'steps', `${kebabCase(name)}.ts`),
  }));
  return [...api, ...steps];
}

/** Names every missing source at once. */
export function requireSources(entries: readonly Entry[]): void {
  const missing = entries.filter(({ source }) => !existsSync(source));
  if (missing.length === 0) return;
  const lines = missing.map(({ name, source }) => `  ${name} needs ${relative(root, source)}`);
  throw new Error(
    `The contract and the state machines name functions without a source:\n${lines.join('\n')}`,
  );
}

/**
 * Which Lambdas there are: one a resource of the contract, one a step of a state machine, one a schedule, one a
 * listener, the fallback and the reference.
 */
import { existsSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { resourceNames } from '../../contract/index.ts';
import { kebabCase, pascalCase, stepNames } from '../../lib/jobs/definitions.ts';
import { listenerNames } from '../../lib/jobs/listeners.ts';
import { scheduleNames } from '../../lib/jobs/schedules.ts';
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
    source: sourceOf('api', kebabCase(resource)),
  }));
  const steps = [...stepNames(), ...scheduleNames(), ...listenerNames()].map((name) => ({
    name,
    kind: 'step' as const,
    source: sourceOf('steps', kebabCase(name)),
  }));
  return [...api, ...steps];
}

/** `lambdas/<subject>/api/<name>.ts` or `lambdas/<subject>/steps/<name>.ts`, whichever subject has it. */
export function sourceOf(layer: 'api' | 'steps', name: string): string {
  const subjects = readdirSync(join(root, 'lambdas'));
  const places = subjects.map((subject) => join(root, 'lambdas', subject, layer, `${name}.ts`));
  return places.find((place) => existsSync(place)) ?? join(root, 'lambdas', '<subject>', layer, `${name}.ts`);
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

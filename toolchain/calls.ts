/**
 * Which actions each function's code can reach, in lib/shared/calls.json: policies allow no others, and a change of it is one of
 * permissions. `node toolchain/calls.ts` writes it, test/infra/least-privilege.test.ts holds it against the code.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { lambdaEntries } from './bundle/entries.ts';
import { root } from './bundle/paths.ts';
import { CallGraph, type Calls } from './calls/graph.ts';

export const callsFile = join(root, 'lib', 'shared', 'calls.json');

/** By logical id of the function. */
export function callsOfFunctions(): Record<string, Calls> {
  const graph = new CallGraph();
  const calls = lambdaEntries().map(({ name, source }) => [name, graph.from(source)] as const);
  return Object.fromEntries(calls.sort(([one], [other]) => (one < other ? -1 : 1)));
}

export const textOf = (calls: Record<string, Calls>): string => `${JSON.stringify(calls, null, 2)}\n`;

if (import.meta.main) {
  writeFileSync(callsFile, textOf(callsOfFunctions()));
  console.log('Wrote lib/shared/calls.json');
}

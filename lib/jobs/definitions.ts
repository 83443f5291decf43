/** Reads the state machines from their files. Does not use the CDK. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pascalCase } from '../shared/case.ts';
import { completed } from './task-fields.ts';
import type { Scope } from './width.ts';

const folder = join(import.meta.dirname, '..', '..', 'state-machines');
const suffix = '.asl.json';

export interface Definition {
  /** `DeleteAsset` for `delete-asset.asl.json`. */
  readonly name: string;
  readonly file: string;
  /** Amazon States Language, with `${ProbeMedia}` in place of the ARN of a function. */
  readonly body: string;
  /** Logical ids of the functions that the machine invokes, sorted, without repeats. */
  readonly steps: readonly string[];
}

/** Names in `${…}`, which DefinitionSubstitutions replace. */
export function substitutionsOf(body: string): string[] {
  return [...new Set([...body.matchAll(/\$\{([A-Za-z0-9]+)\}/g)].map(([, name]) => name!))].sort();
}

export function readDefinitions(): Definition[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith(suffix))
    .sort()
    .map((file) => {
      const machine: Scope = JSON.parse(readFileSync(join(folder, file), 'utf8'));
      const body = JSON.stringify(completed(machine));
      return { name: pascalCase(file.slice(0, -suffix.length)), file, body, steps: substitutionsOf(body) };
    });
}

/**
 * Stores which definitions are valid, so that the next start does not check them again. Loading the validator and compiling its
 * schemas would take more than a third of a second.
 */
import { hash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { StateMachine } from './language.ts';

export interface Named<Definition> {
  name: string;
  arn: string;
  /** The definition in parsed Amazon States Language. */
  definition: Definition;
}

interface Remembered {
  /** The version of the checks. Another version may have another result. */
  judge: string;
  /** The hashes of the valid definitions. */
  sound: string[];
}

/** Returns the machines after all definitions have passed the checks, and stores the result in `dir`. */
export async function soundMachines(dir: string, machines: Named<unknown>[]): Promise<Named<StateMachine>[]> {
  const file = join(dir, 'sound.json');
  const judge = thisJudge();
  const remembered = await read(file);
  const known = new Set(remembered?.judge === judge ? remembered.sound : []);
  const unknown = machines.filter(({ definition }) => !known.has(hashOf(definition)));
  if (unknown.length > 0) {
    const { checkedDefinition } = await import('./definition.ts');
    for (const { name, definition } of unknown) checkedDefinition(name, definition);
    const sound = machines.map(({ definition }) => hashOf(definition));
    await mkdir(dir, { recursive: true });
    await writeFile(file, JSON.stringify({ judge, sound } satisfies Remembered));
  }
  return machines as Named<StateMachine>[];
}

const hashOf = (definition: unknown) => hash('sha256', JSON.stringify(definition));

/** Returns the version of the checks: a hash of the sources in this folder and of the validator's version. */
function thisJudge(): string {
  const sources = readdirSync(import.meta.dirname).filter((name) => name.endsWith('.ts'));
  const validator = createRequire(import.meta.url).resolve('asl-validator/package.json');
  const files = [...sources.sort().map((name) => join(import.meta.dirname, name)), validator];
  return hash('sha256', files.map((path) => readFileSync(path, 'utf8')).join('\n'));
}

/** Returns undefined if the file is missing or damaged. All definitions are then checked again. */
async function read(file: string): Promise<Remembered | undefined> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as Remembered;
  } catch {
    return undefined;
  }
}

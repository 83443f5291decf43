/** Checks the structure of a definition with asl-validator. */

import { createRequire } from 'node:module';
import type { Ajv } from 'ajv';
import validate from 'asl-validator';
import { expressionIn } from './jsonata.ts';
import type { Json, StateMachine } from './language.ts';

/**
 * Fields that may hold any JSON text, by the specification's "Using Arguments and Output". asl-validator 4 accepts no
 * arrays, empty strings or expressions over several lines in these fields. So it gets replacements for their values.
 */
const templateFields = ['Output', 'Arguments', 'ItemSelector', 'BatchInput'];

/** The faults, one sentence each. */
export function structuralFaults(machine: StateMachine): string[] {
  const verdict = compiledOnce(() => validate(withStandIns(machine as unknown as Json)));
  return verdict.isValid ? [] : verdict.errorsText('\n').split('\n');
}

const requireOfValidator = createRequire(createRequire(import.meta.url).resolve('asl-validator'));
const ajvOfValidator = requireOfValidator('ajv') as { default: new (options: object) => Ajv };
let compiled: Ajv | undefined;

/**
 * asl-validator 4 makes an Ajv for each definition, always with the same schemas. To compile them takes a third of a
 * second. So it always gets the Ajv that it made first.
 */
function compiledOnce<Verdict>(judge: () => Verdict): Verdict {
  const { default: Made } = ajvOfValidator;
  ajvOfValidator.default = function kept(options: object) {
    compiled = compiled === undefined ? new Made(options) : equipped(compiled);
    return compiled;
  } as unknown as typeof Made;
  try {
    return judge();
  } finally {
    ajvOfValidator.default = Made;
  }
}

/** An Ajv that ignores new keywords: it has them already, and would refuse to add them again. */
const equipped = (ajv: Ajv): Ajv => Object.assign(ajv, { addKeyword: () => ajv });

/** A deep copy, which the validator may write into. */
function withStandIns(value: Json): Json {
  if (typeof value === 'string') return expressionIn(value) === undefined ? value : '{% 1 %}';
  if (Array.isArray(value)) return value.map(withStandIns);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, standIn(key, item)]));
}

function standIn(key: string, value: Json): Json {
  if (templateFields.includes(key)) return {};
  const isAssign = key === 'Assign' && value !== null && typeof value === 'object' && !Array.isArray(value);
  return isAssign ? {} : withStandIns(value);
}

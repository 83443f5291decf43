/** Checks the structure of a definition with asl-validator. */
import { createRequire } from 'node:module';
import type { Ajv } from 'ajv';
import validate from 'asl-validator';
import { expressionIn } from './jsonata.ts';
import type { Json, StateMachine } from './language.ts';

/**
 * Fields that may contain any JSON (specification, "Using Arguments and Output"). In these fields, asl-validator 4 does not accept
 * arrays, empty strings or expressions over several lines. So their values are replaced before validation.
 */
const templateFields = ['Output', 'Arguments', 'ItemSelector', 'BatchInput'];

/** Returns the faults in the structure, one sentence each. */
export function structuralFaults(machine: StateMachine): string[] {
  const verdict = compiledOnce(() => validate(withStandIns(machine as unknown as Json)));
  return verdict.isValid ? [] : verdict.errorsText('\n').split('\n');
}

const requireOfValidator = createRequire(createRequire(import.meta.url).resolve('asl-validator'));
const ajvOfValidator = requireOfValidator('ajv') as { default: new (options: object) => Ajv };
let compiled: Ajv | undefined;

/** Uses the first Ajv for every check: asl-validator 4 would compile the same schemas again, which takes a third of a second. */
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

/** Returns an Ajv that ignores added keywords. The Ajv already has these keywords, and would refuse to add them again. */
const equipped = (ajv: Ajv): Ajv => Object.assign(ajv, { addKeyword: () => ajv });

/** Returns a deep copy, because the validator changes the given object. */
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

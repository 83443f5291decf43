/** Evaluates the `{% … %}` strings of a definition. */
import jsonata from 'jsonata';
import { StateError } from './errors.ts';
import { INTRINSICS, REFUSED_BUILT_INS } from './intrinsics.ts';
import type { Json, JsonObject, Template } from './language.ts';

/** Values that expressions can read: `$states` and the variables in scope. */
export interface Bindings {
  states: { input: Json; context: JsonObject; result?: Json; errorOutput?: JsonObject };
  variables: JsonObject;
}

/** The maximum duration (ms) and depth of calls of an expression. They end endless expressions, which would block the server. */
const limits = { timeout: 10_000, stack: 1_000 };

const compiled = new Map<string, jsonata.Expression>();

/** Returns the code of a JSONata string. Undefined for any other string. */
export function expressionIn(text: string): string | undefined {
  return text.startsWith('{%') && text.endsWith('%}') && text.length >= 4
    ? text.slice(2, -2).trim()
    : undefined;
}

/** Parses an expression, only once. Throws an Error if it does not parse or calls a refused function. */
export function compile(code: string): jsonata.Expression {
  const known = compiled.get(code);
  if (known) return known;
  const expression = jsonata(code, limits);
  for (const name of REFUSED_BUILT_INS) {
    if (mentions(expression.ast(), name)) throw new Error(`$${name} is not offered by Step Functions`);
  }
  for (const [name, { run, signature }] of Object.entries(INTRINSICS)) {
    expression.registerFunction(name, run as (...args: unknown[]) => unknown, signature);
  }
  compiled.set(code, expression);
  return expression;
}

/**
 * Replaces every JSONata string inside a template by its value.
 * @param location the field's name, with `/` between levels, for messages
 * @throws StateError States.QueryEvaluationError if an expression fails
 */
export async function evaluateTemplate(
  template: Template,
  location: string,
  bindings: Bindings,
): Promise<Json> {
  if (typeof template === 'string') {
    const code = expressionIn(template);
    return code === undefined ? template : evaluate(code, location, bindings);
  }
  if (Array.isArray(template)) {
    const values: Json[] = [];
    for (const [index, item] of template.entries()) {
      values.push(await evaluateTemplate(item, `${location}[${index}]`, bindings));
    }
    return values;
  }
  if (template === null || typeof template !== 'object') return template;
  const values: [string, Json][] = [];
  for (const [key, item] of Object.entries(template)) {
    values.push([key, await evaluateTemplate(item, `${location}/${key}`, bindings)]);
  }
  return Object.fromEntries(values);
}

async function evaluate(code: string, location: string, bindings: Bindings): Promise<Json> {
  const fail = (what: string): never => {
    const cause = `The JSONata expression '${code}' specified for the field '${location}' ${what}`;
    throw new StateError({ error: 'States.QueryEvaluationError', cause, location });
  };
  let value: unknown;
  try {
    // Without an input, `$` has no value. The guide says that "$" and "$$" cannot be used at the top level.
    value = await compile(code).evaluate(undefined, { ...bindings.variables, states: bindings.states });
  } catch (error) {
    const { code: errorCode, message } = error as { code?: string; message?: string };
    return fail(`threw an error during evaluation. ${errorCode ? `${errorCode}: ` : ''}${message ?? error}`);
  }
  // "Expressions must produce a defined value because JSON cannot represent undefined."
  if (value === undefined) return fail('returned nothing (undefined).');
  if (holdsFunction(value)) return fail('returned a function, which JSON cannot represent.');
  return JSON.parse(JSON.stringify(value)) as Json;
}

function holdsFunction(value: unknown): boolean {
  if (isFunction(value)) return true;
  return value !== null && typeof value === 'object' && Object.values(value).some(holdsFunction);
}

function isFunction(value: unknown): boolean {
  if (typeof value === 'function') return true;
  const marked = value as { _jsonata_function?: boolean; _jsonata_lambda?: boolean } | null;
  return marked?._jsonata_function === true || marked?._jsonata_lambda === true;
}

function mentions(node: unknown, variable: string): boolean {
  if (node === null || typeof node !== 'object') return false;
  const { type, value } = node as { type?: string; value?: unknown };
  if (type === 'variable' && value === variable) return true;
  return Object.values(node).some((child) => mentions(child, variable));
}

/** The type that a field accepts. Its name is that in the service's error message. */
export interface FieldType<T extends Json> {
  name: string;
  accepts(value: Json): value is T;
}

export const TYPES = {
  string: { name: 'string', accepts: (value): value is string => typeof value === 'string' },
  boolean: { name: 'boolean', accepts: (value): value is boolean => typeof value === 'boolean' },
  array: { name: 'array', accepts: (value): value is Json[] => Array.isArray(value) },
  count: { name: 'non-negative integer', accepts: (value): value is number => isInteger(value, 0) },
  positive: { name: 'positive integer', accepts: (value): value is number => isInteger(value, 1) },
  percentage: {
    name: 'number between 0 and 100',
    accepts: (value): value is number => typeof value === 'number' && value >= 0 && value <= 100,
  },
} satisfies Record<string, FieldType<Json>>;

function isInteger(value: Json, least: number): boolean {
  return Number.isInteger(value) && (value as number) >= least;
}

/** Evaluates a field, whose value must have this type (specification, "JSONata Runtime Errors"). */
export async function evaluateAs<T extends Json>(
  type: FieldType<T>,
  template: Template,
  location: string,
  bindings: Bindings,
): Promise<T> {
  const value = await evaluateTemplate(template, location, bindings);
  if (type.accepts(value)) return value;
  const source =
    typeof template === 'string' ? (expressionIn(template) ?? template) : JSON.stringify(template);
  const actual = value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
  throw new StateError({
    error: 'States.QueryEvaluationError',
    cause:
      `The JSONata expression '${source}' specified for the field '${location}' returned an unexpected result type. ` +
      `Expected '${type.name}', but was '${actual}' for value: ${JSON.stringify(value)}`,
    location,
  });
}

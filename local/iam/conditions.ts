/** Evaluates the conditions of statements. IAM User Guide, "IAM JSON policy elements: Condition operators". */
import {
  type Context,
  compileArnPattern,
  compilePattern,
  hasVariables,
  substituteVariables,
} from './patterns.ts';

export type Condition = (context: Context) => boolean;

/** Compares the value in the policy (`expected`) with the value in the request (`actual`). */
type Comparison = (expected: string) => (actual: string) => boolean;

/** Parses a number. Returns NaN for other text, also for an empty one. A comparison with NaN is false. */
const numberOf = (text: string): number => (text.trim() === '' ? Number.NaN : Number(text));

const numeric =
  (holds: (actual: number, expected: number) => boolean): Comparison =>
  (expected) =>
  (actual) =>
    holds(numberOf(actual), numberOf(expected));

/** Parses a time: ISO 8601, or seconds since the epoch. */
const timeOf = (text: string): number => (/^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text));
const date =
  (holds: (actual: number, expected: number) => boolean): Comparison =>
  (expected) =>
  (actual) =>
    holds(timeOf(actual), timeOf(expected));

const equals: Comparison = (expected) => (actual) => actual === expected;
const equalsIgnoringCase: Comparison = (expected) => (actual) =>
  actual.toLowerCase() === expected.toLowerCase();

/** Operators that are true if a value of the request matches any value of the policy. */
const positive: Readonly<Record<string, Comparison>> = {
  StringEquals: equals,
  StringEqualsIgnoreCase: equalsIgnoringCase,
  StringLike: compilePattern,
  ArnEquals: compileArnPattern,
  ArnLike: compileArnPattern,
  Bool: equalsIgnoringCase,
  NumericEquals: numeric((actual, expected) => actual === expected),
  NumericLessThan: numeric((actual, expected) => actual < expected),
  NumericLessThanEquals: numeric((actual, expected) => actual <= expected),
  NumericGreaterThan: numeric((actual, expected) => actual > expected),
  NumericGreaterThanEquals: numeric((actual, expected) => actual >= expected),
  DateEquals: date((actual, expected) => actual === expected),
  DateLessThan: date((actual, expected) => actual < expected),
  DateLessThanEquals: date((actual, expected) => actual <= expected),
  DateGreaterThan: date((actual, expected) => actual > expected),
  DateGreaterThanEquals: date((actual, expected) => actual >= expected),
};

/** Operators that are true if the value matches no value of the policy. Each is the negation of another operator. */
const negated: Readonly<Record<string, string>> = {
  StringNotEquals: 'StringEquals',
  StringNotEqualsIgnoreCase: 'StringEqualsIgnoreCase',
  StringNotLike: 'StringLike',
  ArnNotEquals: 'ArnEquals',
  ArnNotLike: 'ArnLike',
  NumericNotEquals: 'NumericEquals',
  DateNotEquals: 'DateEquals',
};

/** Condition keys that a local request can have. A condition on another key cannot be evaluated, so its statement fails closed. */
const knownKeys = [
  /^aws:(securetransport|principalarn|principalaccount|principaltype|userid|currenttime)$/,
  /^aws:(sourcearn|sourceaccount)$/,
  /^dynamodb:leadingkeys$/,
  /^s3:(prefix|delimiter|max-keys|tlsversion|versionid|requestobjecttag\/.+|requestobjecttagkeys)$/,
  /^sts:(externalid|rolesessionname)$/,
  /^kms:(encryptioncontext:.+|encryptioncontextkeys|viaservice)$/,
  /^transcribe:outputbucketname$/,
];

const OPERATOR = /^(?:(?<set>ForAllValues|ForAnyValue):)?(?<name>\w+?)(?<ifExists>IfExists)?$/;

type Compiled = { conditions: Condition[]; fault?: string };

/** Compiles the conditions of a statement. `fault` describes a condition that this file cannot evaluate. */
export function compileConditions(block: Record<string, Record<string, unknown>>): Compiled {
  const conditions: Condition[] = [];
  const faults: string[] = [];
  for (const [operator, keys] of Object.entries(block)) {
    for (const [key, value] of Object.entries(keys)) {
      const compiled = compileCondition(operator, key, valuesOf(value));
      if (typeof compiled === 'string') faults.push(compiled);
      else conditions.push(compiled);
    }
  }
  return faults.length === 0 ? { conditions } : { conditions, fault: faults.join('; ') };
}

const valuesOf = (value: unknown): string[] => (Array.isArray(value) ? value : [value]).map(String);

/** Compiles a condition. Returns a string with the reason if it cannot be compiled. */
function compileCondition(operator: string, name: string, expected: string[]): Condition | string {
  const key = name.toLowerCase();
  if (!knownKeys.some((known) => known.test(key))) return `the condition key ${name} is not known here`;
  const { set, name: base = '', ifExists } = OPERATOR.exec(operator)?.groups ?? {};
  if (base === 'Null') return ({ [key]: values = [] }) => expected.includes(String(values.length === 0));
  const isNegated = Object.hasOwn(negated, base);
  const comparison = positive[isNegated ? negated[base]! : base];
  if (comparison === undefined) return `the condition operator ${operator} is not known here`;
  const matchesAny = anyOf(comparison, expected);
  const holdsFor = (value: string, context: Context) => matchesAny(value, context) !== isNegated;
  return (context) => {
    const values = context[key];
    if (values === undefined || values.length === 0) {
      if (set === 'ForAllValues') return true;
      if (set === 'ForAnyValue') return false;
      return ifExists !== undefined || isNegated;
    }
    if (set === 'ForAnyValue') return values.some((value) => holdsFor(value, context));
    // Without a set operator (ForAllValues, ForAnyValue), a key has one value.
    return values.every((value) => holdsFor(value, context));
  };
}

/** Returns a function that is true if a value matches any pattern. Patterns with variables are compiled at each use, all others once. */
function anyOf(comparison: Comparison, expected: string[]): (value: string, context: Context) => boolean {
  const fixed = expected.filter((pattern) => !hasVariables(pattern)).map(comparison);
  const variable = expected.filter(hasVariables);
  return (value, context) =>
    fixed.some((matches) => matches(value)) ||
    variable.some((pattern) => {
      const text = substituteVariables(pattern, context);
      return text !== undefined && comparison(text)(value);
    });
}

/** Wildcards and variables in policies. IAM User Guide, "IAM policy elements: Resource" and "Variables and tags". */
/** The values that the request has for each condition key. The keys are in lower case. */
export type Context = Readonly<Record<string, readonly string[]>>;

export type Matcher = (text: string) => boolean;

const VARIABLE = /\$\{([^}]*)\}/g;

export const hasVariables = (pattern: string): boolean => /\$\{/.test(pattern);

/** Compiles a pattern in which `*` is any text and `?` is any character. */
export function compilePattern(pattern: string): Matcher {
  const star = pattern.indexOf('*');
  if (star < 0 && !pattern.includes('?')) return (text) => text === pattern;
  const isPrefix = star === pattern.length - 1 && !pattern.includes('?');
  const prefix = pattern.slice(0, -1);
  if (isPrefix) return (text) => text.startsWith(prefix);
  const source = pattern
    .replace(/[\\^$.|+(){}[\]]/g, '\\$&')
    .replaceAll('*', '.*')
    .replaceAll('?', '.');
  const expression = new RegExp(`^${source}$`, 's');
  return (text) => expression.test(text);
}

/** Compiles a pattern of an ARN in a condition. A wildcard matches only within one of the six segments. The last may contain colons. */
export function compileArnPattern(pattern: string): Matcher {
  if (pattern === '*') return () => true;
  const segments = segmentsOf(pattern).map(compilePattern);
  return (text) => {
    const parts = segmentsOf(text);
    return parts.length === segments.length && segments.every((matches, at) => matches(parts[at] ?? ''));
  };
}

/**
 * Compiles a Resource element. A `*` at the end of a segment also matches colons, and missing segments match anything. IAM User Guide,
 * "Resource" and "IAM ARNs". Returns undefined if the context has no value for a variable.
 */
export function compileResourcePattern(pattern: string, context: Context = {}): Matcher | undefined {
  const whole = substituteVariables(pattern, context);
  if (whole === undefined) return undefined;
  const segments = segmentsOf(whole);
  const matchesColons = segments.slice(0, 5).some((segment) => segment.endsWith('*'));
  if (matchesColons) return compilePattern(whole);
  while (segments.length < 6) segments.push('*');
  return compileArnPattern(segments.join(':'));
}

/** Replaces the variables. Returns undefined if a variable does not have exactly one value: such a pattern matches nothing. */
export function substituteVariables(pattern: string, context: Context): string | undefined {
  let isKnown = true;
  const text = pattern.replace(VARIABLE, (_, name: string) => {
    // `${*}`, `${?}` and `${$}` mean the characters themselves. Only `${$}` is handled here, because the others would act as wildcards.
    if (name === '$') return '$';
    const [key = '', fallback] = name.split(/,\s*/);
    const values = context[key.toLowerCase()];
    const value = values?.length === 1 ? values[0] : fallback?.replace(/^'(.*)'$/, '$1');
    if (value === undefined) isKnown = false;
    return value ?? '';
  });
  return isKnown ? text : undefined;
}

function segmentsOf(arn: string): string[] {
  const parts = arn.split(':');
  return parts.length <= 6 ? parts : [...parts.slice(0, 5), parts.slice(5).join(':')];
}

/**
 * Bounds what a validator that gathers all faults may take for a body that is nothing but faults: without it, three million
 * items of a wrong type are three million errors, and a list is compared with itself item by item however long it is.
 */

/** How many faults are gathered. More of them are counted by ajv and kept by nobody. */
const MOST_ERRORS = 1000;

type Schema = Readonly<Record<string, unknown>>;

/** What ajv looks at item by item, or character by character, by what says how many there may be. */
const afterLimit = { maxItems: ['items', 'uniqueItems'], maxLength: ['pattern', 'format'] } as const;

/** What is longer than it may be is told so, and not looked at any further. */
export function bounded(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(bounded);
  if (schema === null || typeof schema !== 'object') return schema;
  const inner = Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [key, bounded(value)]),
  ) as Schema;
  const [limit, later = []] =
    Object.entries(afterLimit).find(([name]) => typeof inner[name] === 'number') ?? [];
  const isLater = ([key]: [string, unknown]) => (later as readonly string[]).includes(key);
  const named = Object.entries(inner);
  if (limit === undefined || !named.some(isLater)) return inner;
  return {
    ...Object.fromEntries(named.filter((one) => !isLater(one))),
    if: { [limit]: inner[limit] },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema, whose objects nobody awaits.
    then: Object.fromEntries(named.filter(isLater)),
  };
}

/** @param source of validators that ajv wrote; throws where it writes them in another way than is known here */
export function withFewErrors(source: string): string {
  const bounded = source
    .replaceAll(/vErrors\.push\((\w+)\);/g, `if(vErrors.length < ${MOST_ERRORS}){vErrors.push($1);}`)
    .replaceAll(/vErrors\.length = (\w+);/g, 'vErrors.length = Math.min(vErrors.length, $1);');
  const gathers = source.includes('vErrors = [');
  if (gathers && bounded === source)
    throw new Error('The validators gather errors in a way that is not bounded');
  return bounded;
}

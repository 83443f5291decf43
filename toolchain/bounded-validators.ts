/**
 * Bounds what a validator that gathers all faults may take for a body that is nothing but faults: without it, three million
 * items of a wrong type are three million errors, and a list is compared with itself item by item however long it is.
 */

/** How many faults are gathered. More of them are counted by ajv and kept by nobody. */
const MOST_ERRORS = 1000;

type Schema = Readonly<Record<string, unknown>>;

/** What ajv looks at item by item. */
const byItem = ['items', 'uniqueItems'] as const;

/** Lists that are longer than they may be are told so, and their items are not looked at. */
export function boundedLists(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(boundedLists);
  if (schema === null || typeof schema !== 'object') return schema;
  const inner = Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [key, boundedLists(value)]),
  ) as Schema;
  const { maxItems } = inner;
  if (typeof maxItems !== 'number' || !('items' in inner)) return inner;
  const named = Object.entries(inner);
  const isByItem = ([key]: [string, unknown]) => (byItem as readonly string[]).includes(key);
  return {
    ...Object.fromEntries(named.filter((one) => !isByItem(one))),
    if: { maxItems },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema, whose objects nobody awaits.
    then: Object.fromEntries(named.filter(isByItem)),
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

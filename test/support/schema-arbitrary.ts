/** Generates values that match a JSON Schema, and values that nearly match, for property tests of the API. */
import fc, { type Arbitrary } from 'fast-check';
import { uuidv7 } from 'uuidv7';

interface Schema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly minProperties?: number;
  readonly items?: Schema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly format?: string;
}

/** Values for members by name, such as existing ids. Undefined: the schema decides. */
export type Known = (member: string) => readonly string[] | undefined;

/** Values that match each keyword separately. `if`/`then` and rules between members match only by chance. */
export function valid(schema: unknown, known: Known = () => undefined, member = ''): Arbitrary<unknown> {
  const own = schema as Schema;
  if (own.const !== undefined) return fc.constant(own.const);
  if (own.enum !== undefined) return fc.constantFrom(...own.enum);
  if (own.anyOf !== undefined) return fc.oneof(...own.anyOf.map((branch) => valid(branch, known, member)));
  const types = own.type === undefined ? Object.keys(byType) : [own.type].flat();
  return fc.oneof(...types.map((type) => byType[type]!(own, known, member)));
}

const byType: Readonly<Record<string, (schema: Schema, known: Known, member: string) => Arbitrary<unknown>>> =
  {
    null: () => fc.constant(null),
    boolean: () => fc.boolean(),
    integer: ({ minimum = -1000, maximum = 1000 }) =>
      fc.oneof(
        fc.constantFrom(minimum, maximum),
        fc.integer({ min: minimum, max: Math.min(maximum, minimum + 5000) }),
      ),
    number: ({ minimum = -1000, maximum = 1000 }) =>
      fc.oneof(fc.constantFrom(minimum, maximum), fc.double({ min: minimum, max: maximum, noNaN: true })),
    string: (schema, known, member) => text(schema, known(member)),
    array: ({ items = {}, minItems = 0, maxItems = minItems + 3, uniqueItems = false }, known, member) => {
      const bounds = { minLength: minItems, maxLength: Math.min(maxItems, minItems + 3) };
      const item = valid(items, known, member);
      if (!uniqueItems) return fc.array(item, bounds);
      return fc.uniqueArray(item, { ...bounds, selector: (value) => JSON.stringify(value) });
    },
    object: ({ properties = {}, required = [], additionalProperties, minProperties = 0 }, known) => {
      const members: Record<string, Arbitrary<unknown>> = {};
      for (const [name, inner] of Object.entries(properties)) members[name] = valid(inner, known, name);
      const named = fc.record(members, { requiredKeys: [...required] });
      if (typeof additionalProperties !== 'object') return named;
      const more = fc.dictionary(
        fc.string({ minLength: 1, maxLength: 12 }),
        valid(additionalProperties, known),
        {
          minKeys: minProperties,
          maxKeys: minProperties + 3,
        },
      );
      return fc.tuple(more, named).map(([dictionary, record]) => ({ ...dictionary, ...record }));
    },
  };

function text(schema: Schema, ids: readonly string[] | undefined): Arbitrary<string> {
  const free = freeText(schema);
  if (ids === undefined || ids.length === 0) return free;
  return fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...ids) }, { weight: 1, arbitrary: free });
}

function freeText({ format, pattern, minLength = 0, maxLength = 1000 }: Schema): Arbitrary<string> {
  if (format === 'uuid') return fc.oneof(fc.uuid(), fc.constant(uuidv7()));
  if (format === 'date-time') {
    return fc
      .date({ min: new Date(0), max: new Date(4e12), noInvalidDate: true })
      .map((date) => date.toISOString());
  }
  if (format === 'uri') return fc.webUrl();
  const bounds = { minLength, maxLength: Math.min(maxLength, minLength + 24) };
  const any = fc.oneof(fc.string(bounds), fc.string({ ...bounds, unit: 'grapheme' }));
  if (pattern === undefined) return any;
  const expression = new RegExp(pattern, 'u');
  const longest = (value: string) => [...value].length <= maxLength && [...value].length >= minLength;
  try {
    return fc.stringMatching(expression, { size: 'small' }).filter(longest);
  } catch {
    // The generator does not support look-arounds. Simple text matches most of them, and a mismatch is one more invalid
    // value.
    return fc.stringMatching(/^[a-z0-9]{3,12}$/);
  }
}

const junk: Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    -1,
    0,
    1.5,
    1e308,
    '',
    ' ',
    '\u0000',
    '__proto__',
    'ä'.repeat(300),
    [],
    {},
  ),
  fc.constantFrom<unknown>(
    2 ** 53,
    -(2 ** 53),
    [[]],
    [null],
    { constructor: 1 },
    "'; DROP TABLE",
    '#',
    '%00',
    '/..',
  ),
  fc.jsonValue({ maxDepth: 2 }),
);

/** The value with one change: a removed, added or replaced member, or an unrelated value. */
export function mutated(values: Arbitrary<unknown>): Arbitrary<unknown> {
  const step = fc.tuple(fc.nat(), junk, fc.constantFrom('drop', 'add', 'replace', 'repeat'));
  return fc.oneof(
    {
      weight: 9,
      arbitrary: fc.tuple(values, step).map(([value, [seed, by, kind]]) => changed(value, seed, by, kind)),
    },
    { weight: 1, arbitrary: junk },
  );
}

function changed(value: unknown, seed: number, by: unknown, kind: string): unknown {
  if (value === null || typeof value !== 'object') return by;
  const names = Object.keys(value);
  const name = names[seed % Math.max(names.length, 1)];
  const goesDeeper = name !== undefined && seed % 3 > 0;
  if (Array.isArray(value)) {
    if (kind === 'repeat') return [...value, ...value];
    if (goesDeeper)
      return value.with(Number(name), changed(value[Number(name)], Math.floor(seed / 3), by, kind));
    return kind === 'drop' ? value.slice(1) : [...value, by];
  }
  if (name === undefined || kind === 'add') return { ...value, surplus: by };
  const inner = (value as Record<string, unknown>)[name];
  if (goesDeeper) return { ...value, [name]: changed(inner, Math.floor(seed / 3), by, kind) };
  if (kind !== 'drop') return { ...value, [name]: by };
  const { [name]: _, ...rest } = value as Record<string, unknown>;
  return rest;
}

/**
 * Limits the time and the memory of a validator for a hostile body.
 *
 * Validators report every error of a body. Without a limit, three million items of a wrong type would cause three
 * million errors. `uniqueItems` compares each item of a list with all others, even if the list is longer than
 * `maxItems`.
 */
import { _, type Ajv, type CodeKeywordDefinition, type KeywordCxt, Name, stringify } from 'ajv';

/** Loops over items and members stop when a body has this many errors. */
export const MAX_ERRORS = 1000;

type Schema = Readonly<Record<string, unknown>>;

/** ajv counts the errors in a variable of this name. */
const hasTooManyErrors = _`${new Name('errors')} >= ${MAX_ERRORS}`;

/** Applies the schema of a loop to each item. Ends the loop when there are too many errors. */
const stopAtManyErrors: CodeKeywordDefinition = {
  keyword: 'stopAtManyErrors',
  schemaType: 'object',
  code(cxt: KeywordCxt) {
    cxt.gen.if(hasTooManyErrors, () => cxt.gen.break());
    cxt.subschema({ keyword: 'stopAtManyErrors' }, cxt.gen.name('isValid'));
  },
};

/** Returns a keyword `additionalProperties: false` whose loop stops at the limit. Its errors also list the known members. */
const stoppingLoop = (standard: CodeKeywordDefinition): CodeKeywordDefinition & { before: string } => ({
  ...standard,
  before: 'properties',
  error: {
    ...standard.error,
    message: 'must NOT have additional properties',
    params: ({ params }) => _`{additionalProperty: ${params.additionalProperty}, known: ${params.known}}`,
  },
  code(cxt: KeywordCxt) {
    const { gen, data, schema, parentSchema } = cxt;
    if (schema !== false || parentSchema.patternProperties !== undefined) {
      standard.code(cxt);
      return;
    }
    const known = Object.keys(parentSchema.properties ?? {});
    const code = stringify(known);
    const list = gen.scopeValue('obj', { key: String(code), ref: known, code });
    gen.forIn('member', data, (member) => {
      gen.if(hasTooManyErrors, () => gen.break());
      const isUnknown = known.reduce((others, name) => _`${others} && ${member} !== ${name}`, _`true`);
      gen.if(isUnknown, () => {
        cxt.setParams({ additionalProperty: member, known: list });
        cxt.error();
      });
    });
  },
});

export function addBoundedKeywords(ajv: Ajv): void {
  const standard = ajv.getKeyword('additionalProperties') as CodeKeywordDefinition;
  ajv.addKeyword(stopAtManyErrors);
  ajv.removeKeyword('additionalProperties');
  ajv.addKeyword(stoppingLoop(standard));
}

/** Keywords that ajv checks for each item or character, by the keyword that limits the number of items or characters. */
const checkedWithinLimit = { maxItems: ['items', 'uniqueItems'], maxLength: ['pattern', 'format'] } as const;

/** Keywords whose schema applies to each item or member. */
const loops = ['items', 'additionalProperties', 'propertyNames'];

/**
 * Keywords whose inner errors may be ignored, such as branches of `anyOf`. A loop inside them must not stop early, or
 * an invalid body could pass.
 */
const alternatives = ['anyOf', 'oneOf', 'not', 'if'];

/**
 * Returns the schema with limits: a list or a text that is too long causes one error, and is not checked further.
 * Throws if a schema has a loop without a possible limit.
 */
export function bounded(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(bounded);
  if (schema === null || typeof schema !== 'object') return schema;
  const members = Object.entries(schema).map(([key, value]) => [key, boundedMember(key, value)] as const);
  const [limit, later] = Object.entries(checkedWithinLimit).find(([name]) => isNumber(schema, name)) ?? [];
  const isLater = ([key]: readonly [string, unknown]) => (later as readonly string[]).includes(key);
  if (limit === undefined || !members.some(isLater)) return Object.fromEntries(members);
  return {
    ...Object.fromEntries(members.filter((member) => !isLater(member))),
    if: { [limit]: (schema as Schema)[limit] },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema. No one awaits this object.
    then: Object.fromEntries(members.filter(isLater)),
  };
}

const isNumber = (schema: object, name: string) => typeof (schema as Schema)[name] === 'number';

function boundedMember(key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (key === 'properties') return mapValues(value, bounded);
  if (alternatives.includes(key) && hasLoop(value))
    throw new Error(`A validator cannot bound the errors of a loop inside \`${key}\``);
  return loops.includes(key) ? { stopAtManyErrors: bounded(value) } : bounded(value);
}

const mapValues = (value: object, change: (one: unknown) => unknown) =>
  Object.fromEntries(Object.entries(value).map(([name, one]) => [name, change(one)]));

function hasLoop(schema: unknown): boolean {
  if (typeof schema !== 'object' || schema === null) return false;
  return Object.entries(schema).some(([key, value]) =>
    key === 'properties'
      ? Object.values(value as object).some(hasLoop)
      : loops.includes(key) || hasLoop(value),
  );
}

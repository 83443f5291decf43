/**
 * Keywords of ajv for normalizing a request during validation. The compiler adds them to the contract's schemas, so
 * that handlers see one form of each value.
 */
import { _, type Ajv, type CodeKeywordDefinition, type KeywordCxt } from 'ajv';

type Schema = Readonly<Record<string, unknown>>;

interface Member {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
}

interface ObjectSchema {
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Member>>;
  readonly required?: readonly string[];
}

/** RFC 9562 §4: UUIDs are case-insensitive. Stored keys have UUIDs in lower case. */
const lowerCase: CodeKeywordDefinition = {
  keyword: 'lowerCase',
  type: 'string',
  code({ gen, data, it }: KeywordCxt) {
    gen.assign(data, _`${data}.toLowerCase()`);
    gen.assign(_`${it.parentData}[${it.parentDataProperty}]`, data);
  },
};

/** Removes members that are null. The keyword has no type, so that it runs before defaults are filled in. */
const absentWhenNull: CodeKeywordDefinition = {
  keyword: 'absentWhenNull',
  schemaType: 'array',
  code({ gen, data, schema }: KeywordCxt) {
    gen.if(_`${data} && typeof ${data} == "object"`, () => {
      for (const name of schema as string[]) {
        gen.if(_`${data}[${name}] === null`, () => gen.code(_`delete ${data}[${name}]`));
      }
    });
  },
};

/**
 * Replaces texts that are not decimal numbers, so that they fail as numbers. Otherwise ajv converts `0x10`, `1e1` and
 * ` 5`, as JavaScript does. The keyword has no type, so that it runs before the members are converted.
 */
const decimals: CodeKeywordDefinition = {
  keyword: 'decimals',
  schemaType: 'array',
  code({ gen, data, schema }: KeywordCxt) {
    for (const name of schema as string[]) {
      const isStrange = _`typeof ${data}[${name}] == "string" && !/^-?\\d+(?:\\.\\d+)?$/.test(${data}[${name}])`;
      gen.if(isStrange, () => gen.assign(_`${data}[${name}]`, _`"not a number"`));
    }
  },
};

/** Returns the schema of parameters with this keyword for all its numbers. */
export function onlyDecimals(schema: ObjectSchema): object {
  const numbers = Object.entries(schema.properties ?? {}).filter(([, { type }]) =>
    [type].flat().some((one) => one === 'integer' || one === 'number'),
  );
  return numbers.length === 0 ? schema : { ...schema, decimals: numbers.map(([name]) => name) };
}

export function addNormalizingKeywords(ajv: Ajv): void {
  ajv.addKeyword(decimals);
  ajv.addKeyword(lowerCase);
  ajv.addKeyword(absentWhenNull);
}

/**
 * Returns the schema with these keywords.
 * @param isCreation for the body of a POST, in which null means the same as an absent optional member
 */
export function normalizing(schema: unknown, isCreation = false): unknown {
  if (Array.isArray(schema)) return schema.map((one) => normalizing(one, isCreation));
  if (schema === null || typeof schema !== 'object') return schema;
  const inner = Object.entries(schema).map(([key, value]) => [key, normalizing(value, isCreation)]);
  const nulls = isCreation ? optionalOrNull(schema) : [];
  return {
    ...Object.fromEntries(inner),
    ...((schema as Schema).format === 'uuid' && { lowerCase: true }),
    ...(nulls.length > 0 && { absentWhenNull: nulls }),
  };
}

function optionalOrNull({ type, properties = {}, required = [] }: ObjectSchema): string[] {
  if (![type].flat().includes('object')) return [];
  return Object.entries(properties)
    .filter(([name, member]) => !required.includes(name) && takesNull(member))
    .map(([name]) => name);
}

export const takesNull = ({ type, enum: values = [] }: Member): boolean =>
  [type].flat().includes('null') || values.includes(null);

/**
 * What validators do to a request beside checking it, as keywords of ajv that the compiler adds to the contract's
 * schemas: handlers see one form of each value, however it was sent.
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

/** RFC 9562 §4: UUIDs are read without regard to case. Keys hold them in lower case. */
const lowerCase: CodeKeywordDefinition = {
  keyword: 'lowerCase',
  type: 'string',
  code({ gen, data, it }: KeywordCxt) {
    gen.assign(data, _`${data}.toLowerCase()`);
    gen.assign(_`${it.parentData}[${it.parentDataProperty}]`, data);
  },
};

/** Members that are taken for absent where they are null. Without a type, it comes before defaults are filled in. */
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

export function addNormalizingKeywords(ajv: Ajv): void {
  ajv.addKeyword(lowerCase);
  ajv.addKeyword(absentWhenNull);
}

/**
 * The schema with those keywords where they belong.
 * @param isCreation of a POST's body, in which null for what may be left out says as much as leaving it out
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

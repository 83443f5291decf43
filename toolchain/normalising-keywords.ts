/**
 * What validators do to a request beside checking it, as keywords of ajv that the compiler adds to the contract's
 * schemas: handlers see one form of each value, however it was sent.
 */
import { _, type Ajv, type CodeKeywordDefinition, type KeywordCxt } from 'ajv';

type Schema = Readonly<Record<string, unknown>>;

/** RFC 9562 §4: UUIDs are read without regard to case. Keys hold them in lower case. */
const lowerCase: CodeKeywordDefinition = {
  keyword: 'lowerCase',
  type: 'string',
  code({ gen, data, it }: KeywordCxt) {
    gen.assign(data, _`${data}.toLowerCase()`);
    gen.assign(_`${it.parentData}[${it.parentDataProperty}]`, data);
  },
};

export function addNormalisingKeywords(ajv: Ajv): void {
  ajv.addKeyword(lowerCase);
}

/** The schema with those keywords where they belong. */
export function normalising(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(normalising);
  if (schema === null || typeof schema !== 'object') return schema;
  const inner = Object.entries(schema).map(([key, value]) => [key, normalising(value)]);
  return { ...Object.fromEntries(inner), ...((schema as Schema).format === 'uuid' && { lowerCase: true }) };
}

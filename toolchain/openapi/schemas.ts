/** Schemas of the document. Schemas with a name become components, and operations refer to them. */
import type { TSchema } from 'typebox';
import { problems } from '../../contract/kit/errors.ts';

type JsonSchema = Record<string, unknown>;

export class Components {
  readonly schemas: Record<string, JsonSchema> = {};

  reference(schema: TSchema | unknown): unknown {
    if (Array.isArray(schema)) return schema.map((item) => this.reference(item));
    if (schema === null || typeof schema !== 'object') return schema;
    const { $id: name, ...rest } = schema as JsonSchema;
    const keywords = Object.entries(withoutDefault(typed(rest)));
    const plain = Object.fromEntries(keywords.map(([key, value]) => [key, this.#keyword(key, value)]));
    if (typeof name !== 'string') return plain;
    this.schemas[name] ??= plain;
    return { $ref: `#/components/schemas/${name}` };
  }

  #keyword(name: string, value: unknown): unknown {
    if (ofValues.has(name)) return value;
    if (!ofMembers.has(name)) return this.reference(value);
    const members = Object.entries(value as object);
    return Object.fromEntries(members.map(([member, schema]) => [member, this.reference(schema)]));
  }

  /** Returns parameters with their defaults: with a default, generators make a parameter optional. */
  parameters(place: 'path' | 'query', schema: TSchema | undefined): unknown[] {
    if (schema === undefined) return [];
    const { properties, required = [] } = schema as unknown as {
      properties: Record<string, JsonSchema>;
      required?: string[];
    };
    return Object.entries(properties).map(([name, property]) => {
      const { description, default: initial, ...rest } = property;
      return {
        name,
        in: place,
        required: place === 'path' || required.includes(name),
        ...(description !== undefined && { description }),
        schema: {
          ...(this.reference(rest) as JsonSchema),
          ...(initial !== undefined && { default: initial }),
        },
      };
    });
  }
}

const ofValues = new Set(['enum', 'const', 'x-default', 'examples', 'required', 'type']);
/** Keywords whose value maps member names to schemas. */
const ofMembers = new Set(['properties', 'patternProperties']);

/** Adds the type to an enum. The contract has only the values, but generators also need their type. */
function typed(schema: JsonSchema): JsonSchema {
  const { type, enum: values } = schema;
  if (!Array.isArray(values) || type !== undefined) return schema;
  const types = [...new Set(values.map((value) => (value === null ? 'null' : typeof value)))];
  return { type: types.length === 1 ? types[0] : types, ...schema };
}

/**
 * Writes the default as text, and under a keyword that generators ignore. Generators such as openapi-typescript make a
 * member with a default required, because an answer always has it. But a request does not need it.
 */
function withoutDefault(schema: JsonSchema): JsonSchema {
  if (!('default' in schema)) return schema;
  const { default: value, description, ...rest } = schema;
  const words = [description, inWords(value)].filter((part) => part !== undefined);
  return { ...rest, ...(words.length > 0 && { description: words.join('; ') }), 'x-default': value };
}

/** The default of a member as text. Undefined for an object, because its members have their own defaults. */
function inWords(value: unknown): string | undefined {
  if (Array.isArray(value)) return value.length === 0 ? 'none when absent' : undefined;
  return typeof value === 'object' ? undefined : `${JSON.stringify(value)} when absent`;
}

/** RFC 9457 with the members of every problem of this API. */
export const problemSchema = {
  type: 'object',
  required: ['type', 'title', 'status', 'detail', 'instance', 'code', 'docs', 'request_id'],
  properties: {
    type: { type: 'string', format: 'uri', description: 'Address of the section that explains the code' },
    title: { type: 'string' },
    status: { type: 'integer', minimum: 400, maximum: 599 },
    detail: { type: 'string', description: 'The cause, and what to do' },
    instance: { type: 'string', description: 'Path of the request' },
    code: { type: 'string', enum: Object.keys(problems), description: 'Stable code' },
    docs: { type: 'string', format: 'uri' },
    request_id: { type: 'string' },
    errors: {
      type: 'array',
      description: 'All that is wrong, one by one',
      items: {
        type: 'object',
        required: ['code', 'detail'],
        properties: {
          pointer: { type: 'string', description: 'JSON pointer into the body (RFC 6901)' },
          parameter: { type: 'string', description: 'Name of a path, query or header parameter' },
          code: { type: 'string' },
          detail: { type: 'string' },
        },
      },
    },
  },
};

export const gatewayRefusalSchema = {
  type: 'object',
  required: ['message'],
  properties: { message: { type: 'string' } },
};

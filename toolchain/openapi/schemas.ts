/** Schemas of the document: those that have a name become components, and are referred to. */
import type { TSchema } from 'typebox';
import { problems } from '../../contract/kit/errors.ts';

type JsonSchema = Record<string, unknown>;

export class Components {
  readonly schemas: Record<string, JsonSchema> = {};

  /** The schema itself, or a reference where it has a name. */
  reference(schema: TSchema | unknown): unknown {
    if (Array.isArray(schema)) return schema.map((item) => this.reference(item));
    if (schema === null || typeof schema !== 'object') return schema;
    const { $id: name, ...rest } = schema as JsonSchema;
    const plain = Object.fromEntries(
      Object.entries(rest).map(([key, value]) => [key, this.reference(value)]),
    );
    if (typeof name !== 'string') return plain;
    this.schemas[name] ??= plain;
    return { $ref: `#/components/schemas/${name}` };
  }

  parameters(place: 'path' | 'query', schema: TSchema | undefined): unknown[] {
    if (schema === undefined) return [];
    const { properties, required = [] } = schema as unknown as {
      properties: Record<string, JsonSchema>;
      required?: string[];
    };
    return Object.entries(properties).map(([name, property]) => {
      const { description, ...rest } = property;
      return {
        name,
        in: place,
        required: place === 'path' || required.includes(name),
        ...(description !== undefined && { description }),
        schema: this.reference(rest),
      };
    });
  }
}

/** RFC 9457 with the members that every problem of this API carries. */
export const problemSchema = {
  type: 'object',
  required: ['type', 'title', 'status', 'detail', 'instance', 'code', 'docs', 'request_id'],
  properties: {
    type: { type: 'string', format: 'uri', description: 'Address of the section that explains the code' },
    title: { type: 'string' },
    status: { type: 'integer', minimum: 400, maximum: 599 },
    detail: { type: 'string', description: 'What is wrong, and what to do' },
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

/** What the gateway answers in place of the API. */
export const gatewayRefusalSchema = {
  type: 'object',
  required: ['message'],
  properties: { message: { type: 'string' } },
};

/** Compares the contract with the specification's tables, so that no operation and no field is lost. */
import { describe, expect, it } from 'vitest';
import { operations } from '../../contract/index.ts';
import type { OperationSpec } from '../../contract/kit/operation.ts';
import { type Field, type Fields, type FieldType, specification } from './specification.ts';

interface Schema {
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly pattern?: string;
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly minItems?: number;
  readonly additionalProperties?: boolean | Schema;
}

const served = new Map<string, OperationSpec>(
  operations.map(({ spec }) => [`${spec.method} ${spec.path}`, spec]),
);
const rows = Object.entries(specification);

describe('the specification', () => {
  it('has 135 operations', () => expect(rows).toHaveLength(135));
});

describe('the contract', () => {
  it('has every operation of the specification', () => {
    expect(rows.map(([route]) => route).filter((route) => !served.has(route))).toEqual([]);
  });

  it('marks all other operations as its own additions', () => {
    const unmarked = [...served].filter(([route, spec]) => !(route in specification) !== !!spec.beyondSpec);
    expect(unmarked.map(([route]) => route)).toEqual([]);
  });

  it.each(rows.filter(([route]) => served.has(route)))(
    'accepts the query and body of the specification for %s',
    (route, row) => {
      const { body, bodyOptional, query } = served.get(route)! as { body?: Schema } & OperationSpec;
      expect(differences(row.query ?? {}, (query ?? {}) as Schema, 'query')).toEqual([]);
      if (row.body === 'not shown') {
        expect(body?.type).toBe('object');
        return;
      }
      expect(differences(row.body ?? {}, body ?? {}, 'body')).toEqual([]);
      const needsNone = Object.values(row.body ?? {}).every((field) => !field.required);
      if (needsNone && body !== undefined && route.startsWith('POST')) expect(bodyOptional).toBe(true);
    },
  );

  it.each(rows.filter(([route, { answers }]) => answers !== undefined && served.has(route)))(
    'returns the members of the specification for %s',
    (route, { answers }) => {
      const successes = Object.entries(served.get(route)!.responses).filter(([status]) => status < '300');
      for (const [, { body }] of successes) {
        expect(Object.keys((body as Schema).properties ?? {})).toEqual(expect.arrayContaining([...answers!]));
      }
    },
  );

  it('requires at least one condition in a filter view', () => {
    const body = served.get('POST /v1/views')?.body as Schema | undefined;
    expect(body?.properties?.filter_params?.minItems).toBe(1);
  });
});

/** Fields that are missing in the schema or have another definition, and additional required members. */
function differences(fields: Fields, schema: Schema, at: string): string[] {
  const given = schema.properties ?? {};
  const own = Object.entries(fields).flatMap(([name, field]) => {
    const found = given[name] && withoutNull(given[name]);
    const place = `${at}.${name}`;
    if (found === undefined) return [`${place} is missing`];
    const isRequired = schema.required?.includes(name) ?? false;
    return [
      ...(isRequired === field.required ? [] : [`${place} is ${isRequired ? '' : 'not '}required`]),
      ...fieldDifferences(field, found, place),
    ];
  });
  const demanded = (schema.required ?? []).filter((name) => fields[name] === undefined);
  return [...own, ...demanded.map((name) => `${at}.${name} is required, but not in the specification`)];
}

/** A field that a change may set to null still has its type. */
const withoutNull = (schema: Schema): Schema => schema.anyOf?.find(({ type }) => type !== 'null') ?? schema;

function fieldDifferences(field: Field, schema: Schema, at: string): string[] {
  const found: string[] = [];
  if (!isOfType[field.type](schema)) found.push(`${at} is not of type ${field.type}`);
  if (field.default !== undefined && schema.default !== (field.default ?? undefined)) {
    found.push(`${at} defaults to ${schema.default}`);
  }
  const values = schema.enum?.filter((value) => value !== null) ?? [];
  if (field.values !== undefined && [...values].sort().join() !== [...field.values].sort().join()) {
    found.push(`${at} is one of ${values}`);
  }
  if (field.fields === undefined) return found;
  return [...found, ...differences(field.fields, field.type === 'array' ? (schema.items ?? {}) : schema, at)];
}

const has = ({ type }: Schema, name: string) => (Array.isArray(type) ? type.includes(name) : type === name);
const isList = (schema: Schema, ofItems: (item: Schema) => boolean) =>
  has(schema, 'array') && schema.items !== undefined && ofItems(schema.items);

const isOfType: Readonly<Record<FieldType, (schema: Schema) => boolean>> = {
  uuid: (schema) => has(schema, 'string') && schema.format === 'uuid',
  string: (schema) => has(schema, 'string') && schema.enum === undefined && schema.format === undefined,
  int: (schema) => has(schema, 'integer'),
  float: (schema) => has(schema, 'number'),
  bool: (schema) => has(schema, 'boolean'),
  enum: (schema) => schema.enum !== undefined,
  object: (schema) => has(schema, 'object'),
  array: (schema) => isList(schema, (item) => has(item, 'object')),
  hex: (schema) => has(schema, 'string') && schema.pattern === '^#[0-9A-Fa-f]{6}$',
  datetime: (schema) => has(schema, 'string') && schema.format === 'date-time',
  'uuid list': (schema) => isList(schema, isUuid),
  // The specification calls the ids of some lists strings.
  'string list': (schema) => isList(schema, (item) => has(item, 'string')),
  'string lists by term': (schema) =>
    has(schema, 'object') &&
    typeof schema.additionalProperties === 'object' &&
    isList(schema.additionalProperties, (item) => has(item, 'string')),
};

function isUuid(schema: Schema): boolean {
  return isOfType.uuid(schema);
}

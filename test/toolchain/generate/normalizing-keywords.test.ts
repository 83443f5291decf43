import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { operations } from '../../../contract/index.ts';
import type { OperationSpec } from '../../../contract/kit/operation.ts';
import {
  addNormalizingKeywords,
  normalizing,
  takesNull,
} from '../../../toolchain/generate/normalizing-keywords.ts';
import { formats, withoutNames } from '../../../toolchain/generate/validators.ts';
import { bodyReferences, pathReferences, queryReferences, withReference } from '../../support/references.ts';

const ajv = new Ajv2020({ strict: true, strictTypes: false, useDefaults: true, formats });
addNormalizingKeywords(ajv);

/** Returns the value that handlers see, even if the schema rejects it. */
function seen(schema: unknown, value: unknown, isCreation = false): unknown {
  const copy = structuredClone(value);
  ajv.compile(normalizing(withoutNames(schema), isCreation) as object)(copy);
  return copy;
}

const upper = 'ABCDEF01-2345-7890-ABCD-EF0123456789';
const lower = upper.toLowerCase();
const specs = operations.map(({ spec }) => [spec.id, spec as OperationSpec] as const);

describe('handlers receive ids in lower case, even if they are sent in upper case,', () => {
  it.each(specs.filter(([, { params }]) => params !== undefined))('in the path of %s', (_, spec) => {
    const names = pathReferences(spec.path).map(({ name }) => name);
    const ids = names.filter((name) => name !== 'external_id');
    const sent = Object.fromEntries(names.map((name) => [name, upper]));
    expect(seen(spec.params, sent)).toEqual({ ...sent, ...Object.fromEntries(ids.map((id) => [id, lower])) });
  });

  it.each(specs.filter(([, spec]) => queryReferences(spec).length > 0))('in the query of %s', (_, spec) => {
    const names = queryReferences(spec).map(({ at }) => String(at[0]));
    const given = (id: string) => Object.fromEntries(names.map((name) => [name, id]));
    expect(seen(spec.query, given(upper))).toMatchObject(given(lower));
  });

  it.each(
    specs.flatMap(([id, spec]) =>
      bodyReferences(spec).map((reference) => [id, reference.at.join('/'), spec, reference] as const),
    ),
  )('in the body of %s at %s', (_, __, spec, reference) => {
    const body = seen(spec.body, withReference(spec.bodyExample, reference, upper));
    expect(body).toEqual(seen(spec.body, withReference(spec.bodyExample, reference, lower)));
    expect(JSON.stringify(body)).not.toContain(upper);
  });
});

it('validation does not change text that only looks like an id', () => {
  const asset = operations.find(({ spec }) => spec.id === 'createAsset')!.spec as OperationSpec;
  const sent = { filename: 'a.mp4', mc_model: 'normal', external_id: upper };
  expect(seen(asset.body, sent)).toEqual(sent);
});

interface Schema {
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly enum?: readonly unknown[];
  readonly items?: Schema;
}

/** Returns all objects in a body, each with its path. */
function objectsIn(schema: Schema, way: readonly (string | number)[] = []): [typeof way, Schema][] {
  const { properties = {}, required = [], items } = schema;
  return [
    ...(schema.type === 'object' ? [[way, schema] as [typeof way, Schema]] : []),
    ...required.flatMap((name) => (properties[name] ? objectsIn(properties[name], [...way, name]) : [])),
    ...(items === undefined ? [] : objectsIn(items, [...way, 0])),
  ];
}

const optional = ({ properties = {}, required = [] }: Schema) =>
  Object.keys(properties).filter((name) => !required.includes(name));

const at = (value: unknown, way: readonly (string | number)[]) =>
  way.reduce((inner, part) => (inner as Record<string | number, unknown>)[part], value) as Record<
    string,
    unknown
  >;

describe('an optional member in a request to create can be null, as in responses,', () => {
  const rows = specs
    .filter(([, { method, body }]) => method === 'POST' && body !== undefined)
    .flatMap(([id, spec]) =>
      objectsIn(spec.body as Schema)
        .filter(([, schema]) => optional(schema).length > 0)
        .map(([way, schema]) => [id, way.join('/'), spec, way, schema] as const),
    );

  it.each(rows)('in %s at /%s', (_, __, spec, way, schema) => {
    const names = optional(schema);
    expect(names.filter((name) => !takesNull(schema.properties![name]!))).toEqual([]);
    const [absent, empty] = [structuredClone(spec.bodyExample), structuredClone(spec.bodyExample)];
    for (const name of names) {
      delete at(absent, way)[name];
      at(empty, way)[name] = null;
    }
    expect(seen(spec.body, empty, true)).toEqual(seen(spec.body, absent, true));
  });

  it('but a change distinguishes null from a missing member', () => {
    const { body } = operations.find(({ spec }) => spec.id === 'updateTemplate')!.spec as OperationSpec;
    expect(seen(body, { blacklist_ids: null })).toEqual({ blacklist_ids: null });
  });
});

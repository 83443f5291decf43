import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { operations } from '../../../contract/index.ts';
import { forms } from '../../../contract/kit/forms.ts';
import type { OperationSpec } from '../../../contract/kit/operation.ts';
import { addBoundedKeywords, bounded, MAX_ERRORS } from '../../../toolchain/generate/bounded-errors.ts';

const specs = operations.map(({ spec }) => spec as OperationSpec);

const compile = (schema: object) => {
  const ajv = new Ajv2020({ allErrors: true, strictTypes: false });
  addBoundedKeywords(ajv);
  return ajv.compile(bounded(schema) as object);
};

describe('a list that is too long', () => {
  const check = compile({ type: 'array', maxItems: 3, uniqueItems: true, items: { enum: ['a', 'b'] } });
  const keywords = () => check.errors?.map(({ keyword }) => keyword);

  it('causes one error: its items are neither checked nor compared', () => {
    // ajv would compare items of unknown type with each other, which takes hours.
    expect(check(Array.from({ length: 500_000 }, () => ({})))).toBe(false);
    expect(keywords()).toEqual(['maxItems']);
  });

  it('causes another error than a list with invalid items', () => {
    expect(check(['a', 'b'])).toBe(true);
    expect(check(['a', 'c', 'a'])).toBe(false);
    expect(keywords()).toEqual(expect.arrayContaining(['enum', 'uniqueItems']));
  });

  it('is detected in every list of every body, because each list has a limit', () => {
    const unbounded = specs.flatMap(({ id, body }) => (body ? listsWithoutLimit(body, id) : []));
    expect(unbounded).toEqual([]);
  });
});

describe('a text that is too long', () => {
  it('causes one error: its pattern is not checked', () => {
    const check = compile({ type: ['string', 'null'], maxLength: 3, pattern: '^b' });
    expect([check('aaaa'), check.errors!.map(({ keyword }) => keyword)]).toEqual([false, ['maxLength']]);
    expect([check('bbb'), check(null), check('aaa')]).toEqual([true, true, false]);
  });

  it.each(Object.entries(forms))(
    'is checked against the pattern of a %s in linear time',
    (_, { pattern }) => {
      const form = new RegExp(pattern, 'u');
      // In quadratic time, each of these texts would take an hour. One pattern once took quadratic time.
      for (const text of ['a', ' ', 'a ', 'a.', 'a-']) form.test(`${text.repeat(1_000_000)}\u0001`);
    },
  );
});

describe('a body with 100,000 errors', () => {
  const many = Array.from({ length: 100_000 }, (_, at) => `m${at}`);
  const members = Object.fromEntries(many.map((name) => [name, 0]));
  const strict = { type: 'object', additionalProperties: false, properties: { a: { type: 'string' } } };

  it.each([
    ['unknown members', strict, members, { a: '' }],
    ['items of a wrong type', { type: 'array', items: { type: 'string' } }, many.map(() => 0), ['a']],
    ['wrong items in lists of lists', nested(strict), [many.map(() => ({ b: 0 }))], [[{ a: '' }]]],
    ['wrong values', { type: 'object', additionalProperties: { type: 'string' } }, members, { b: '' }],
    ['wrong names', { type: 'object', propertyNames: { maxLength: 1 } }, members, { b: 0 }],
  ])('causes only the first thousand error messages: %s', (_, schema, invalid, valid) => {
    const check = compile(schema);
    expect(check(invalid)).toBe(false);
    expect(check.errors!.length).toBeGreaterThanOrEqual(MAX_ERRORS);
    expect(check.errors!.length).toBeLessThan(MAX_ERRORS + 5);
    expect(check(valid)).toBe(true);
  });
});

it('the generator rejects a schema with a loop in an alternative, which could make an invalid body pass', () => {
  const list = { type: 'array', items: { type: 'string' } };
  expect(() => bounded({ anyOf: [list, { type: 'null' }] })).toThrow('inside `anyOf`');
  expect(() => bounded({ type: 'object', properties: { items: list, not: { type: 'null' } } })).not.toThrow();
});

function nested(schema: object): object {
  return { type: 'array', items: { type: 'array', items: schema } };
}

function listsWithoutLimit(schema: unknown, path: string): string[] {
  if (schema === null || typeof schema !== 'object') return [];
  const own = schema as { type?: unknown; maxItems?: number };
  const isList = [own.type].flat().includes('array') && own.maxItems === undefined;
  const inner = Object.entries(schema).flatMap(([key, value]) => listsWithoutLimit(value, `${path}/${key}`));
  return isList ? [path, ...inner] : inner;
}

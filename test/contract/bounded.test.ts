import { Ajv2020 } from 'ajv/dist/2020.js';
import standalone from 'ajv/dist/standalone/index.js';
import { describe, expect, it } from 'vitest';
import { operations } from '../../contract/index.ts';
import { forms } from '../../contract/kit/forms.ts';
import type { OperationSpec } from '../../contract/kit/operation.ts';
import { bounded, withFewErrors } from '../../toolchain/bounded-validators.ts';

const ajv = new Ajv2020({ allErrors: true, strictTypes: false, code: { source: true, esm: true } });
const specs = operations.map(({ spec }) => spec as OperationSpec);

describe('a list that is too long', () => {
  const schema = { type: 'array', maxItems: 3, uniqueItems: true, items: { enum: ['a', 'b'] } };

  it('is told so, and its items are neither looked at nor compared', () => {
    const check = ajv.compile(bounded(schema) as object);
    // Compared with each other, as ajv does where it knows no type of them, they would take hours.
    expect(check(Array.from({ length: 500_000 }, () => ({})))).toBe(false);
    expect(check.errors!.map(({ keyword }) => keyword)).toEqual(['maxItems']);
  });

  it('is not what a list is whose items are wrong', () => {
    const check = ajv.compile(bounded(schema) as object);
    expect(check(['a', 'b'])).toBe(true);
    expect(check(['a', 'c', 'a'])).toBe(false);
    const keywords = check.errors!.map(({ keyword }) => keyword);
    expect(keywords).toEqual(expect.arrayContaining(['enum', 'uniqueItems']));
  });

  it('can be told of every list in a body', () => {
    const unbounded = specs.flatMap(({ id, body }) => (body ? listsWithoutLimit(body, id) : []));
    expect(unbounded).toEqual([]);
  });
});

describe('a text that is too long', () => {
  it('is told so, and its form is not looked at', () => {
    const check = ajv.compile(bounded({ type: ['string', 'null'], maxLength: 3, pattern: '^b' }) as object);
    expect([check('aaaa'), check.errors!.map(({ keyword }) => keyword)]).toEqual([false, ['maxLength']]);
    expect([check('bbb'), check(null), check('aaa')]).toEqual([true, true, false]);
  });

  it.each(Object.entries(forms))('and is meant to be a %s is read in one pass', (_, { pattern }) => {
    const form = new RegExp(pattern, 'u');
    // In as many passes as there are characters, which one form took, each of these would take an hour.
    for (const text of ['a', ' ', 'a ', 'a.', 'a-']) form.test(`${text.repeat(1_000_000)}\u0001`);
  });
});

it('gathers a thousand faults of a body that has 100,000, and no more', async () => {
  const schema = { $id: 'strict', type: 'object', additionalProperties: false, properties: {} };
  ajv.addSchema(schema, 'strict');
  const generate = standalone as unknown as (ajv: Ajv2020, names: Record<string, string>) => string;
  const source = withFewErrors(generate(ajv, { check: 'strict' }));
  const { check } = (await import(`data:text/javascript,${encodeURIComponent(source)}`)) as {
    check: { (data: unknown): boolean; errors: unknown[] };
  };
  const members = Object.fromEntries(Array.from({ length: 100_000 }, (_, at) => [`m${at}`, 0]));
  expect([check(members), check.errors.length]).toEqual([false, 1000]);
  expect(check({})).toBe(true);
});

function listsWithoutLimit(schema: unknown, path: string): string[] {
  if (schema === null || typeof schema !== 'object') return [];
  const own = schema as { type?: unknown; maxItems?: number };
  const isList = [own.type].flat().includes('array') && own.maxItems === undefined;
  const inner = Object.entries(schema).flatMap(([key, value]) => listsWithoutLimit(value, `${path}/${key}`));
  return isList ? [path, ...inner] : inner;
}

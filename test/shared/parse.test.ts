import { describe, expect, expectTypeOf, it } from 'vitest';
import {
  assetId,
  boolean,
  bytes,
  checked,
  list,
  nullable,
  number,
  oneOf,
  optional,
  orElse,
  type Parsed,
  type Parser,
  parseJson,
  recordOf,
  shape,
  tenantId,
  text,
  textSet,
} from '../../shared/parse.ts';

const job = shape({
  job_id: text,
  status: oneOf('queued', 'running'),
  error: nullable(shape({ code: text })),
  items: list(shape({ progress: number })),
  machine: optional(text),
  rounds: orElse(number, 1),
});

const stored = { job_id: 'a', status: 'queued', error: null, items: [{ progress: 0.5 }] };

describe('a stored item', () => {
  it('has the members that its parser names, and its defaults', () => {
    expect(job({ ...stored, pk: 'P', sk: 'S' })).toEqual({ ...stored, rounds: 1 });
  });

  it('has the type that its parser states', () => {
    expectTypeOf<Parsed<typeof job>['status']>().toEqualTypeOf<'queued' | 'running'>();
    expectTypeOf<Parsed<typeof job>['rounds']>().toEqualTypeOf<number>();
    expectTypeOf<Parsed<typeof job>['error']>().toEqualTypeOf<{ readonly code: string } | null>();
  });

  it.each([
    [job, { ...stored, status: 'lost' }, 'status must be queued or running'],
    [job, { ...stored, items: [{ progress: 0 }, { progress: '1' }] }, 'items[1].progress must be a number'],
    [job, { ...stored, error: {} }, 'error.code must be a string'],
    [job, { ...stored, items: {} }, 'items must be a list'],
    [job, [], 'the value must be an object'],
    [recordOf(boolean), { a: true, b: 1 }, 'b must be a boolean'],
    [shape({ data: bytes }), { data: 'text' }, 'data must be bytes'],
    [shape({ jobs: textSet }), { jobs: ['a'] }, 'jobs must be a set of strings'],
    [checked<{ version: number }>({ version: number }), { version: '1' }, 'version must be a number'],
    [shape({ asset_id: assetId }), {}, 'asset_id must be a string'],
  ] as [Parser<unknown>, unknown, string][])(
    'is refused with the path of the error: case %#',
    (parse, value, fault) => {
      expect(() => parse(value)).toThrow(`Stored data cannot be read: ${fault}.`);
    },
  );

  it('keeps members that its type has and its parser does not check', () => {
    const parse = checked<{ version: number; name: string }>({ version: number });
    expect(parse({ version: 2, name: 'a' })).toEqual({ version: 2, name: 'a' });
  });

  it('is refused if its tenant id is not valid', () => {
    expect(() => tenantId('A tenant')).toThrow('Not a tenant id');
  });
});

describe('a stored JSON document', () => {
  it('is read from text or from its bytes', () => {
    expect(parseJson(list(number), '[1, 2]')).toEqual([1, 2]);
    expect(parseJson(list(number), Buffer.from('[3]'))).toEqual([3]);
  });

  it('is refused if it is not JSON', () => {
    expect(() => parseJson(text, '{')).toThrow('must be JSON');
  });
});

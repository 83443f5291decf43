import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { facet } from '../../../../lambdas/assets/rules/facets.ts';
import {
  type Condition,
  conditionsOf,
  planOf,
  requireSoundConditions,
} from '../../../../lambdas/assets/rules/filters.ts';
import { forAny } from '../../../support/for-any.ts';

const planFor = (query: Parameters<typeof conditionsOf>[0]) => planOf(conditionsOf(query)).groups;

describe('the partitions that a list reads', () => {
  it('are those of all assets if no filter is given', () => {
    expect(planFor({})).toEqual([['all']]);
  });

  it('are one for each filter, and one for each of comma-separated values', () => {
    expect(planFor({ entities: 'Madrid, NASA', sentiment: 'Positive' })).toEqual([
      ['entities#madrid'],
      ['entities#nasa'],
      ['sentiment#positive'],
    ]);
  });

  it('contain the whole text of a classification, including commas', () => {
    expect(planFor({ classification: 'News, sport' })).toEqual([['classification#news, sport']]);
  });

  it('cannot be changed by a value that contains a separator', () => {
    expect(facet('speakers', 'a#b')).toBe('speakers#a%23b');
  });

  it('fit into a key, with any characters', () => {
    forAny([fc.string({ unit: 'binary', maxLength: 2000 })], (text) => {
      expect(Buffer.byteLength(facet('entities', text))).toBeLessThan(1100);
    });
  });
});

describe('the conditions of a view', () => {
  it('read the same partitions as the same filters in a query', () => {
    const conditions: Condition[] = [
      { field: 'sentiment', op: 'eq', value: 'Positive' },
      { field: 'entities', op: 'all', value: ['NASA', 'Madrid'] },
    ];
    expect(planOf(conditions).groups).toEqual(planFor({ entities: 'Madrid,NASA', sentiment: 'Positive' }));
  });

  it('with `in` match any of the values', () => {
    expect(planOf([{ field: 'speakers', op: 'in', value: ['Grace', 'Ada', 'ada'] }]).groups).toEqual([
      ['speakers#ada', 'speakers#grace'],
    ]);
  });

  it('convert times into the narrowest range of ids', () => {
    const at = (value: string, op: 'gte' | 'lte'): Condition => ({ field: 'created_at', op, value });
    const plan = planOf([
      at('2026-11-01T00:00:00Z', 'gte'),
      at('2026-11-02T00:00:00Z', 'gte'),
      at('2026-11-03T01:00:00+01:00', 'lte'),
    ]);
    const time = (id: string) => Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16);
    expect(time(plan.first!)).toBe(Date.parse('2026-11-02T00:00:00Z'));
    expect(time(plan.last!)).toBe(Date.parse('2026-11-03T00:00:00Z'));
    expect(plan.groups).toEqual([['all']]);
  });

  it.each<[string, Condition, string, string]>([
    ['an operator for times elsewhere', { field: 'speakers', op: 'gte', value: 'a' }, '/op', 'not_allowed'],
    ['an equal time', { field: 'created_at', op: 'eq', value: 'a' }, '/op', 'not_allowed'],
    ['a list for eq', { field: 'speakers', op: 'eq', value: ['a'] }, '/value', 'wrong_type'],
    ['one text for in', { field: 'speakers', op: 'in', value: 'a' }, '/value', 'wrong_type'],
    ['a sentiment that is none', { field: 'sentiment', op: 'eq', value: 'Sad' }, '/value', 'invalid_format'],
    [
      'a time without a zone',
      { field: 'created_at', op: 'gte', value: '2026-11-01T00:00:00' },
      '/value',
      'invalid_format',
    ],
  ])('reject %s, and report the position', (_, condition, pointer, code) => {
    const refusal = {
      findings: [{ pointer: `/filter_params/0${pointer}`, code, detail: expect.any(String) }],
    };
    expect(() => requireSoundConditions([condition])).toThrow(
      expect.objectContaining({ code: 'validation_failed', ...refusal }),
    );
  });

  it('reject more values than one list can read in parallel', () => {
    const many = (field: 'speakers' | 'entities', from: number): Condition => ({
      field,
      op: 'in',
      value: Array.from({ length: 20 }, (_, at) => `${from + at}`),
    });
    const conditions = [0, 20, 40, 60, 80, 100].map((from) => many('speakers', from));
    expect(() => requireSoundConditions(conditions)).toThrow(
      expect.objectContaining({ code: 'validation_failed' }),
    );
    expect(() => requireSoundConditions(conditions.slice(1))).not.toThrow();
  });
});

import { describe, expect, it } from 'vitest';
import { facetsOf } from '../../lambdas/domain/facets.ts';

describe('facets of a list', () => {
  it('are all assets where nothing is filtered', () => {
    expect(facetsOf({})).toEqual(['all']);
  });

  it('are one for each filter, and one for each of comma-separated values', () => {
    expect(facetsOf({ entities: 'Madrid, NASA', sentiment: 'Positive' })).toEqual([
      'entities#madrid',
      'entities#nasa',
      'sentiment#positive',
    ]);
  });

  it('take a classification whole, commas included', () => {
    expect(facetsOf({ classification: 'News, sport' })).toEqual(['classification#news, sport']);
  });

  it('cannot be made to name another list', () => {
    expect(facetsOf({ speakers: 'a#b' })).toEqual(['speakers#a%23b']);
  });
});

/** The features that the site lists as working and as planned. */
import { describe, expect, it } from 'vitest';
import { availabilityOf, type Operation, plannedOf } from '../../../content/model/availability.ts';
import { readSources } from '../../../content/model/sources.ts';
import type { PageSource } from '../../../content/site.ts';

const sources = readSources();
const resting = sources.filter(({ operations }) => operations.length > 0);
const idsOf = (operations: readonly Operation[]) => operations.map(({ id }) => id);

const operation = (id: string, over: Partial<Operation> = {}): Operation => ({
  ...{ id, method: 'GET', path: `/v1/${id}`, errors: ['resource_not_found'] },
  ...over,
});

describe('the availability of operations', () => {
  const known = [
    operation('there'),
    operation('refused', { errors: ['not_implemented'] }),
    operation('marked', { planned: 'Translation' }),
  ];

  it.each([
    [['there'], 'works'],
    [['there', 'refused'], 'partly'],
    [['there', 'marked'], 'partly'],
    [['refused', 'marked'], 'planned'],
  ] as const)('of %j is %s', (ids, expected) => {
    expect(availabilityOf(ids, known)).toBe(expected);
  });

  it('is `works` as soon as the contract no longer marks the operations as planned', () => {
    expect(availabilityOf(['refused'], [operation('refused')])).toBe('works');
  });

  it('has a list of the planned operations', () => {
    expect(idsOf(plannedOf(['there', 'refused', 'marked'], known))).toEqual(['refused', 'marked']);
  });

  it('causes an error if the contract does not have the operation', () => {
    expect(() => availabilityOf(['getEverything'])).toThrow('the contract has no operation getEverything');
  });
});

describe('the pages', () => {
  it('of every feature and use case name the same operations in both languages', () => {
    for (const page of sources.filter(({ kind }) => kind === 'feature' || kind === 'use-case')) {
      expect(page.operations.length, page.slug).toBeGreaterThan(0);
      const twin = sources.find((other) => other.slug === page.slug && other.language !== page.language)!;
      expect(twin.operations, page.slug).toEqual(page.operations);
    }
  });

  it('of features name every planned operation', () => {
    const named = new Set(
      sources.filter(({ kind }) => kind === 'feature').flatMap(({ operations }) => operations),
    );
    for (const id of idsOf(plannedOf())) expect(named, id).toContain(id);
  });

  it.each(resting.map((page): [string, PageSource] => [`${page.language}${page.slug}`, page]))(
    'mark each planned operation, unless the whole page is planned: %s',
    (_, page) => {
      if (availabilityOf(page.operations) !== 'partly') return;
      const marks = [...page.body.matchAll(/\{\{(?:mark|planned) ([\w ]+)\}\}/g)];
      const marked = new Set(marks.flatMap(([, ids]) => ids!.split(' ')));
      for (const id of idsOf(plannedOf(page.operations))) expect(marked, id).toContain(id);
    },
  );
});

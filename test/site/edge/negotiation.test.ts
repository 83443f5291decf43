import fc from 'fast-check';
import Negotiator from 'negotiator';
import { describe, expect, test } from 'vitest';
import { encodingFor } from '../../../edge/encoding.ts';
import { choose, longestField, mostElements, parseAccept } from '../../../edge/negotiation.ts';
import { forAny } from '../../support/for-any.ts';

const html = 'text/html';
const markdown = 'text/markdown';
const problem = 'application/problem+json';
const offers = [html, markdown, problem];

const chosen = (field: string, on = offers) => choose(parseAccept(field), on);

/** Weights as RFC 9110 §12.4.2 writes them. */
const weight = fc.integer({ min: 0, max: 1000 }).map((thousandths) => String(thousandths / 1000));
const type = fc.constantFrom(
  ...[html, markdown, problem, 'text/*', 'application/*', '*/*', 'text/plain', 'image/png', 'x-a/b.c+d'],
);
const rule = fc.record({ type, weight: fc.option(weight, { nil: undefined }) });
const rules = fc.uniqueArray(rule, { selector: ({ type }) => type, minLength: 1, maxLength: 8 });
const fieldOf = (list: readonly { type: string; weight: string | undefined }[]) =>
  list.map(({ type, weight }) => (weight === undefined ? type : `${type};q=${weight}`)).join(', ');

describe('the representation that Accept prefers', () => {
  test('has the greatest weight, and is never refused by the most specific range', () => {
    fc.assert(
      fc.property(rules, (list) => {
        const weights = offers.map((offer) => weightByTheLetter(list, offer));
        const best = Math.max(...weights);
        const answer = chosen(fieldOf(list));
        if (best === 0) expect(answer).toBeUndefined();
        else expect(weights[offers.indexOf(answer!)]).toBe(best);
      }),
      { numRuns: 2_000 },
    );
  });

  test('is that of the package negotiator, if one available type has the greatest weight', () => {
    fc.assert(
      fc.property(rules, (list) => {
        const weights = offers.map((offer) => weightByTheLetter(list, offer)).sort((a, b) => b - a);
        // At equal weight negotiator goes by the place of the range in the field even where that is a wildcard.
        fc.pre(weights[0]! > weights[1]! || weights[0] === 0);
        const field = fieldOf(list);
        expect(chosen(field)).toBe(new Negotiator({ headers: { accept: field } }).mediaType(offers));
      }),
      { numRuns: 2_000 },
    );
  });

  test('does not depend on case, white space, empty elements or the position of the weight', () => {
    const decorated = fc.tuple(rules, fc.infiniteStream(fc.constantFrom('', ' ', '\t', '  ')), fc.boolean());
    forAny([decorated], ([list, spaces, isUpper]) => {
      const space = () => spaces.next().value;
      const elements = list.map(({ type, weight = '1' }) => {
        const weighted = `${space()}${type}${space()};${space()}q=${weight}${space()}`;
        return isUpper ? weighted.toUpperCase() : weighted;
      });
      expect(chosen(`,${elements.join(`,${space()},`)},`)).toBe(chosen(fieldOf(list)));
      const before = list.map(({ type, weight = '1' }) => `${type};charset=utf-8;q=${weight}`);
      const after = list.map(({ type, weight = '1' }) => `${type};q=${weight};charset="UTF-8"`);
      expect(chosen(after.join())).toBe(chosen(before.join()));
    });
  });

  test('is always an available type or undefined, without an error', () => {
    const noise = fc.string({
      unit: fc.constantFrom(...'text/htmlmarkdown*;q=,. 01"\\+-\t\u00ff'),
      maxLength: 80,
    });
    fc.assert(
      fc.property(fc.oneof(noise, fc.string(), fc.string({ unit: 'binary' })), (field) => {
        expect([...offers, undefined]).toContain(chosen(field));
      }),
      { numRuns: 5_000 },
    );
  });

  test('is the first available type if the field has no media range', () => {
    const noise = fc.string({ unit: fc.constantFrom(...'texthml*;q=,. 01"\\'), maxLength: 40 });
    fc.assert(fc.property(noise, (field) => chosen(field) === html));
  });

  test('is an explicit type before a wildcard, then the first in the field, then the first available type', () => {
    expect(chosen('*/*, text/markdown')).toBe(markdown);
    expect(chosen('text/markdown, text/html')).toBe(markdown);
    expect(chosen('text/html, text/markdown')).toBe(html);
    expect(chosen('application/*, text/*')).toBe(html);
    expect(chosen('application/*;q=0.5, text/*;q=0.5', [problem, markdown])).toBe(problem);
  });

  test('depends on a type without parameters before a type with unknown parameters', () => {
    expect(chosen('text/markdown;variant=GFM;q=0, text/markdown;q=0.4, text/html;q=0.3')).toBe(markdown);
    expect(chosen('text/markdown;variant=GFM')).toBe(markdown);
    expect(chosen('text/html;charset=utf-8;q=0.1, text/html, text/markdown;q=0.5')).toBe(markdown);
  });

  test('depends on the greater weight of a repeated range', () => {
    expect(chosen('text/html;q=0, text/html, text/markdown;q=0.9')).toBe(html);
    expect(chosen('text/html, text/html;q=0, text/markdown;q=0.9')).toBe(html);
  });

  test('ignores commas and semicolons inside quoted strings', () => {
    expect(chosen('text/plain;a=",text/markdown;q=1,", text/html;q=0.1')).toBe(html);
    expect(chosen('text/markdown;a="\\",text/html"')).toBe(markdown);
    expect(chosen('text/markdown;a="never closed, text/markdown')).toBe(html);
  });

  test('is never undefined if a part of the field is malformed', () => {
    expect(chosen('application/json, text/')).toBe(html);
    expect(chosen('application/json')).toBeUndefined();
    expect(chosen('text/html;q=0, */*;q=0, ?')).toBe(html);
  });

  test.each(['.5', '1.', '0.33333', '1.0000'])('is found with the weight %s, which is valid', (text) => {
    expect(chosen(`text/markdown;q=${text}`)).toBe(markdown);
  });

  test.each(['-1', '1.1', '2', 'x', '', '.', '1e0', '0x1', '0,5', '"1"'])(
    'does not depend on the invalid weight %j',
    (text) => {
      expect(chosen(`text/markdown;q=${text}`)).toBe(html);
    },
  );

  test('does not depend on a field that is too long or has too many elements', () => {
    const long = `text/markdown;a=${'b'.repeat(longestField)}`;
    expect(chosen(long.slice(0, longestField))).toBe(markdown);
    expect(chosen(long)).toBe(html);
    expect(chosen('text/markdown,'.repeat(mostElements))).toBe(markdown);
    expect(chosen('text/markdown,'.repeat(mostElements + 1))).toBe(html);
  });
});

/** RFC 9110 §12.5.1 for fields without parameters: the most specific matching range has the say. */
function weightByTheLetter(
  list: readonly { type: string; weight: string | undefined }[],
  offer: string,
): number {
  const ranges = [offer, `${offer.split('/')[0]}/*`, '*/*'];
  const match = ranges.map((range) => list.find(({ type }) => type === range)).find(Boolean);
  return match === undefined ? 0 : Number(match.weight ?? '1');
}

describe('the encoding for Accept-Encoding', () => {
  const coding = fc.constantFrom('br', 'gzip', 'identity', '*', 'zstd', 'deflate');
  const codings = fc.uniqueArray(fc.record({ type: coding, weight: fc.option(weight, { nil: undefined }) }), {
    selector: ({ type }) => type,
    maxLength: 6,
  });

  test('is never one that the field refuses, and one that the package negotiator accepts', () => {
    fc.assert(
      fc.property(codings, (list) => {
        const weightOf = (name: string) => {
          const own = list.find(({ type }) => type === name) ?? list.find(({ type }) => type === '*');
          return own === undefined ? 0 : Number(own.weight ?? '1');
        };
        const field = fieldOf(list);
        const suffix = encodingFor(field);
        const taken = new Negotiator({ headers: { 'accept-encoding': field } }).encodings(['br', 'gzip']);
        if (suffix !== '') expect(taken).toContain(suffix === '.br' ? 'br' : 'gzip');
        if (suffix === '.br')
          expect(weightOf('br')).toBeGreaterThanOrEqual(Math.max(weightOf('gzip'), 0.001));
        if (suffix === '.gz') expect(weightOf('gzip')).toBeGreaterThan(weightOf('br'));
        const identity = list.find(({ type }) => type === 'identity');
        if (suffix === '' && identity === undefined) expect(weightOf('br') + weightOf('gzip')).toBe(0);
      }),
      { numRuns: 2_000 },
    );
  });

  test('is identity for random text', () => {
    forAny([fc.string()], (field) => {
      expect(['.br', '.gz', '']).toContain(encodingFor(field));
    });
  });
});

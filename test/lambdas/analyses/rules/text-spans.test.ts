import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SeenText } from '../../../../engines/ocr/port.ts';
import { textSpans } from '../../../../lambdas/analyses/rules/text-spans.ts';
import { editDistance } from '../../../../shared/edit-distance.ts';
import { forAny } from '../../../support/for-any.ts';

const line = (text: string, confidence = 0.9, y = 0.8): SeenText => ({
  text,
  confidence,
  box: { x: 0.1, y, width: 0.03 * text.length, height: 0.08 },
});
const each = (...samples: SeenText[][]) => samples.map((texts, at) => ({ at_ms: 1000 * at, texts }));
const told = (samples: ReturnType<typeof each>, shots: { start_ms: number; end_ms: number }[] = []) =>
  textSpans(samples, shots, 1000).map(({ text, start_ms, end_ms }) => [text, start_ms, end_ms]);

describe('spans of text', () => {
  it('begin at the first sample with the text, and end at the next sample without it', () => {
    expect(told(each([], [line('Ana Ruiz')], [line('Ana Ruiz')], []))).toEqual([['Ana Ruiz', 1000, 3000]]);
  });

  it('have the reading on which most samples agree', () => {
    const samples = each([line('Ana Ruíz', 0.8)], [line('Ana Rulz', 0.6)], [line('Ana Ruíz', 0.8)]);
    expect(told(samples)).toEqual([['Ana Ruíz', 0, 3000]]);
  });

  it('continue after one sample without the text', () => {
    expect(told(each([line('Ana')], [], [line('Ana')]))).toEqual([['Ana', 0, 3000]]);
    expect(told(each([line('Ana')], [], [], [line('Ana')]))).toHaveLength(2);
  });

  it('separate successive texts in one place, even if only a number differs', () => {
    expect(told(each([line('Part 1')], [line('Part 2')]))).toEqual([
      ['Part 1', 0, 1000],
      ['Part 2', 1000, 2000],
    ]);
  });

  it('separate equal lines that are visible at the same time', () => {
    expect(told(each([line('Ana Ruiz'), line('Ana Ruiz', 0.9, 0.6)]))).toHaveLength(2);
  });

  it('contain the whole text if it appears letter by letter', () => {
    const samples = each([line('Chap')], [line('Chapter')], [line('Chapter one')], [line('Chapter one')]);
    expect(told(samples)).toEqual([['Chapter one', 0, 4000]]);
  });

  it('start and end with their shots, and can continue across cuts', () => {
    const shots = [
      { start_ms: 0, end_ms: 800 },
      { start_ms: 800, end_ms: 2500 },
    ];
    expect(told(each([], [line('Ana')], [line('Ana')]), shots)).toEqual([['Ana', 800, 2500]]);
    expect(told(each([line('Ana')], [line('Ana')], [line('Ana')]), shots)).toEqual([['Ana', 0, 2500]]);
  });

  it('cover every text at every sample, and are ordered by their start', () => {
    const text = fc.constantFrom('Ana', 'Ana Ruiz', 'Part 1', 'Part 2', 'LIVE', 'Señal');
    const seen = fc.tuple(text, fc.integer({ min: 50, max: 100 }), fc.constantFrom(0.1, 0.12, 0.5));
    const samples = fc.array(
      fc.array(
        seen.map(([words, sure, y]) => line(words, sure / 100, y)),
        { maxLength: 3 },
      ),
      { maxLength: 10 },
    );
    fc.assert(
      fc.property(samples, (all) => {
        const given = each(...all);
        const spans = textSpans(given, [], 1000);
        for (const { at_ms, texts } of given) {
          const there = spans.filter(({ start_ms, end_ms }) => start_ms <= at_ms && at_ms < end_ms);
          expect(there.length).toBeGreaterThanOrEqual(texts.length);
        }
        const starts = spans.map(({ start_ms }) => start_ms);
        expect(starts).toEqual(starts.toSorted((one, other) => one - other));
        for (const { text: shown } of spans)
          expect(given.flatMap(({ texts }) => texts.map((one) => one.text))).toContain(shown);
      }),
      { numRuns: 200 },
    );
  });
});

describe('the edit distance', () => {
  it('is 0 for equal texts, the same in both directions, and at most the length of the longer text', () => {
    const texts = fc.string({ maxLength: 12 });
    forAny([texts, texts], (one, other) => {
      const distance = editDistance(one, other, 12);
      expect(distance).toBe(editDistance(other, one, 12));
      expect(distance === 0).toBe(one === other);
      expect(distance).toBeLessThanOrEqual(Math.max([...one].length, [...other].length));
      expect(editDistance(one, other, 2)).toBe(Math.min(distance, 3));
    });
  });

  it('counts inserted, deleted and replaced characters', () => {
    expect(editDistance('Ruiz', 'Ruíz', 9)).toBe(1);
    expect(editDistance('Ana', 'Anna', 9)).toBe(1);
    expect(editDistance('kitten', 'sitting', 9)).toBe(3);
  });
});

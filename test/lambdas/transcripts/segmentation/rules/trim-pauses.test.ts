import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { withoutPauses } from '../../../../../lambdas/transcripts/segmentation/rules/trim-pauses.ts';
import type { Word } from '../../../../../shared/segments.ts';
import { forAny } from '../../../../support/for-any.ts';

const word = (start_ms: number, end_ms: number): Word => ({ text: 'word', start_ms, end_ms, confidence: 1 });
const pause = (start_ms: number, end_ms: number) => ({ start_ms, end_ms });
const times = (words: readonly Word[]) => words.map(({ start_ms, end_ms }) => [start_ms, end_ms]);

describe('a word at a pause', () => {
  it.each([
    ['begins after the pause if it began in the pause', word(1200, 1900), [[1500, 1900]]],
    ['ends before the pause if it ended in the pause', word(700, 1400), [[700, 1000]]],
    ['is removed if it lies in the pause', word(1100, 1400), []],
    ['is removed if nearly all of it lies in the pause', word(1100, 1510), []],
    ['does not change if it continues after the pause', word(700, 1900), [[700, 1900]]],
    ['does not change if it only touches the pause', word(500, 1000), [[500, 1000]]],
    ['does not change if it is short and outside the pause', word(500, 510), [[500, 510]]],
  ])('%s', (_, given, expected) => {
    expect(times(withoutPauses([given], [pause(1000, 1500)]))).toEqual(expected);
  });

  it('never ends in a pause, for any pauses', () => {
    const stretch = fc.tuple(fc.integer({ min: 0, max: 9000 }), fc.integer({ min: 40, max: 900 }));
    forAny([fc.array(stretch), fc.array(stretch)], (spoken, silent) => {
      let at = 0;
      const pauses = silent.map(([gap, length]) => {
        const start_ms = at + gap + 1;
        at = start_ms + length;
        return pause(start_ms, at);
      });
      const words = spoken.map(([start, length]) => word(start, start + length));
      for (const { start_ms, end_ms } of withoutPauses(words, pauses)) {
        expect(end_ms).toBeGreaterThan(start_ms);
        const swallowing = pauses.filter((one) => one.start_ms <= start_ms && end_ms <= one.end_ms);
        expect(swallowing).toEqual([]);
      }
    });
  });
});

import { describe, expect, it } from 'vitest';
import { cuesFromSegments } from '../../../../../lambdas/subtitles/rules/make-cues.ts';
import { displayWidth } from '../../../../../lambdas/subtitles/rules/script.ts';
import {
  markedBy,
  QC_LIMITS,
  withQc,
} from '../../../../../lambdas/transcripts/quality/rules/mark-segments.ts';
import { segmentsFromWords } from '../../../../../lambdas/transcripts/segmentation/rules/make-segments.ts';
import { forAny } from '../../../../support/for-any.ts';
import { anyWords, countingIds, segment, spoken } from '../../../subtitles/speech.ts';

const segmentsOf = (said: string, confidences: number[]) =>
  segmentsFromWords(
    spoken(said).map((word, i) => ({ ...word, confidence: confidences[i] ?? 1 })),
    { newId: countingIds(), language: 'en' },
  );
const codesOf = (segments: Parameters<typeof withQc>[0]) =>
  withQc(segments, 'en').map(({ qc }) => qc.map(({ code }) => code));

describe('a segment is marked', () => {
  it('as low_confidence if it has words with low confidence, which the mark lists', () => {
    const [marked] = withQc(segmentsOf('It was a tad strange.', [1, 0.9, 0.8, 0.02, 0.29]), 'en');
    expect(marked!.qc).toEqual([
      {
        code: 'low_confidence',
        value: 0.02,
        limit: QC_LIMITS.word_confidence,
        detail: '2 of 5 words are doubtful: "tad", "strange.".',
      },
    ]);
  });

  it('only for words below the limit, but not without a confidence or in a text that a person wrote', () => {
    expect(codesOf(segmentsOf('It was strange.', [1, 0.3, Number.NaN]))).toEqual([[]]);
    const [doubtful] = segmentsOf('It was strange.', [1, 0.1, 1]);
    expect(codesOf([{ ...doubtful!, confidence: null }])).toEqual([[]]);
  });

  it('as low_confidence by its own confidence if it has no words', () => {
    expect(codesOf([segment('Hello.', 0, 1000, { confidence: 0.1 })])).toEqual([['low_confidence']]);
  });

  it('as fast_speech if one of its cues exceeds 20 characters a second, with the highest value', () => {
    const fast = segment('Nobody could ever read this as fast as that.', 0, 1000, { speaker: 'a' });
    const next = segment('And then it goes on at an easy pace.', 1000, 4000, { speaker: 'a' });
    const [marked, other] = withQc([fast, next], 'en');
    expect(marked!.qc).toMatchObject([{ code: 'fast_speech', limit: 20 }]);
    expect(marked!.qc[0]!.value).toBeGreaterThan(20);
    expect(other!.qc).toEqual([]);
  });

  it('as late_cue if short sentences before it delay it', () => {
    const burst = Array.from({ length: 4 }, (_, i) => segment('No.', i * 200, i * 200 + 190));
    const codes = codesOf([...burst, segment('That was all, thank you.', 800, 4000)]);
    expect(codes).toEqual([[], ['late_cue'], ['late_cue'], ['late_cue'], ['late_cue']]);
  });

  it('as wide_line if a word is wider than a line', () => {
    const [marked] = withQc([segment(`${'x'.repeat(60)} now.`, 0, 6000)], 'en');
    expect(marked!.qc).toMatchObject([{ code: 'wide_line', value: 60, limit: 42 }]);
  });
});

describe('the marks of any segments', () => {
  it('name every cue above 20 columns a second, and no segment without such a cue', () => {
    forAny([anyWords], (words) => {
      const segments = segmentsFromWords(words, { newId: countingIds(), language: 'en' });
      const cues = cuesFromSegments(segments, { language: 'en' });
      // In scripts without spaces, a line can end without a space. The cue does not say which line ends stand for a
      // space, so the test tries both.
      const isAnyFast = (space: string) =>
        cues.some(
          ({ lines, start_ms, end_ms }) => displayWidth(lines.join(space)) * 1000 > 20 * (end_ms - start_ms),
        );
      const marked = markedBy('fast_speech', withQc(segments, 'en'));
      if (isAnyFast('')) expect(marked).not.toEqual([]);
      if (!isAnyFast(' ')) expect(marked).toEqual([]);
      expect(marked.length).toBeLessThanOrEqual(segments.length);
    });
  });

  it('have different codes and values beyond their limits, and change nothing else', () => {
    forAny([anyWords], (words) => {
      const segments = segmentsFromWords(words, { newId: countingIds(), language: 'en' });
      const marked = withQc(segments, 'en');
      expect(marked.map(({ qc: _, timing: __, ...rest }) => rest)).toEqual(segments);
      for (const { qc } of marked) {
        expect(new Set(qc.map(({ code }) => code)).size).toBe(qc.length);
        for (const { code, value, limit } of qc) {
          const isBelow = code === 'low_confidence' || code === 'short_cue';
          expect(isBelow ? limit - value : value - limit).toBeGreaterThan(0);
        }
      }
    });
  });
});

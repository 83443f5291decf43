/** Cues stay readable for words with any times and texts. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Cue } from '../../../lambdas/subtitles/rules/cue.ts';
import { cuesFromSegments } from '../../../lambdas/subtitles/rules/make-cues.ts';
import { displayWidth } from '../../../lambdas/subtitles/rules/script.ts';
import { segmentsFromWords } from '../../../lambdas/transcripts/segmentation/rules/make-segments.ts';
import type { Segment, Word } from '../../../shared/segments.ts';
import { forAny } from '../../support/for-any.ts';
import { countingIds, letters, segment } from './speech.ts';

const spansOf = (cues: readonly Cue[]) => cues.map(({ start_ms, end_ms }) => [start_ms, end_ms]);
const columns = (lines: string[]) => displayWidth(lines.join(' '));
const cuesOf = (words: Word[], language = 'en') =>
  cuesFromSegments(segmentsFromWords(words, { newId: countingIds(), language }), { language });

/**
 * Sentences with unique words. Each word contains the numbers of its sentence and its place, and its speaker: "W3a0xx".
 */
type Saying = { voice: string; words: { letters: number; wait: number; length: number }[] };

function wordsOf(sayings: Saying[]): Word[] {
  let now = 0;
  return sayings.flatMap(({ voice, words }, sentence) =>
    words.map(({ letters, wait, length }, i) => {
      const start_ms = Math.max(now + wait, 0);
      now = start_ms + length;
      const text = `${i === 0 ? 'W' : 'w'}${sentence}${voice}${i}${'x'.repeat(letters)}${i === words.length - 1 ? '.' : ''}`;
      return { text, start_ms, end_ms: now, confidence: 1, speaker: voice };
    }),
  );
}

const hostileWord = fc.record({
  letters: fc.oneof(fc.integer({ min: 0, max: 9 }), fc.constantFrom(60, 2000)),
  wait: fc.oneof(fc.constantFrom(0, 0, 1, 20, 50_000, -300), fc.integer({ min: -100, max: 1200 })),
  length: fc.oneof(fc.constantFrom(0, 1, 1, 3, 40_000), fc.integer({ min: 1, max: 700 })),
});
const spokenWord = fc
  .record({
    letters: fc.integer({ min: 0, max: 6 }),
    wait: fc.oneof(fc.constant(0), fc.integer({ min: 10, max: 900 })),
    pace: fc.integer({ min: 60, max: 110 }),
  })
  // The duration follows from the number of letters, with marks and a space, at 9 to 16 letters a second.
  .map(({ letters, wait, pace }) => ({ letters, wait, length: (letters + 8) * pace }));
const sayingsOf = (word: typeof hostileWord, fewest: number) =>
  fc.array(
    fc.record({
      voice: fc.constantFrom('a', 'a', 'a', 'b'),
      words: fc.array(word, { minLength: fewest, maxLength: 14 }),
    }),
    { maxLength: 25 },
  );
const hostileSayings = sayingsOf(hostileWord, 1);

describe('the cues of speech with extreme times', () => {
  it('last from 5/6 s to 7 s, two frames apart, show one sentence and one voice each, and lose no word', () => {
    forAny([hostileSayings], (sayings) => {
      const words = wordsOf(sayings);
      const cues = cuesOf(words);
      let free = 0;
      for (const { start_ms, end_ms, lines, speaker } of cues) {
        expect(end_ms - start_ms).toBeGreaterThanOrEqual(5000 / 6);
        expect(end_ms - start_ms).toBeLessThanOrEqual(7000);
        expect(start_ms).toBeGreaterThanOrEqual(free);
        free = end_ms + 80;
        const shown = lines.join(' ').split(' ');
        expect(new Set(shown.map((word) => /\d+/.exec(word)![0])).size).toBe(1);
        expect(shown.every((word) => word.replace(/^[Ww]\d+/, '')[0] === speaker)).toBe(true);
      }
      const said = words.map(({ text }) => text).join('');
      expect(letters(cues.flatMap(({ lines }) => lines).join(''))).toBe(letters(said));
    });
  });

  it('continue into the silence after fast words', () => {
    const burst = Array.from({ length: 12 }, (_, i) => ({
      text: i === 11 ? 'fired.' : 'rapid',
      start_ms: 1000 + i,
      end_ms: 1001 + i,
      confidence: 1,
    }));
    const cues = cuesOf(burst);
    expect(cues).toHaveLength(1);
    const [{ start_ms, end_ms, lines }] = cues as [(typeof cues)[0]];
    expect(columns(lines) / ((end_ms - start_ms) / 1000)).toBeLessThanOrEqual(17);
  });

  it('show a word of 40 s for 7 s', () => {
    const [cue] = cuesOf([{ text: 'Aaaah.', start_ms: 500, end_ms: 40_500, confidence: 1 }]);
    expect(cue).toMatchObject({ start_ms: 500, end_ms: 7500 });
  });
});

describe('the cues of speech at up to 16 letters a second', () => {
  it('never exceed 20 columns a second and are at most half a second late', () => {
    forAny([sayingsOf(spokenWord, 3)], (sayings) => {
      const words = wordsOf(sayings);
      for (const { start_ms, end_ms, lines } of cuesOf(words)) {
        expect(columns(lines)).toBeLessThanOrEqual(((end_ms - start_ms) * 20) / 1000);
        const first = words.find(({ text }) => text === lines[0]!.split(' ')[0])!;
        expect(start_ms - first.start_ms).toBeLessThanOrEqual(500);
      }
    });
  });
});

describe('the cues of translations and texts that people wrote', () => {
  const said = (text: string, more: Partial<Segment> = {}) =>
    cuesFromSegments([segment(text, 0, 4000, more)], { language: 'en' }).map(({ lines }) => lines.join(' '));

  it('contain one sentence each, if a segment has several', () => {
    expect(said('Yes. I know. Dr. Smith told me, e.g. on Monday!')).toEqual([
      'Yes.',
      'I know.',
      'Dr. Smith told me, e.g. on Monday!',
    ]);
    expect(said('はい。分かりました。')).toEqual(['はい。', '分かりました。']);
  });

  it('wait for each other if their sentences are short, at most until the next silence', () => {
    const cues = cuesFromSegments([
      segment('Yes.', 0, 300),
      segment('No.', 320, 500),
      segment('Well, maybe not today.', 520, 4000),
      segment('Fine.', 6000, 7000),
    ]);
    expect(spansOf(cues)).toEqual([
      [0, 834],
      [914, 1748],
      [1828, 4000],
      [6000, 7000],
    ]);
  });

  it('appear in the silence before the speech if the sentence is short', () => {
    const cues = cuesFromSegments([
      segment('Yes.', 5000, 5300, { speaker: 'a' }),
      segment('Then we should go there at once.', 5310, 7500, { speaker: 'b' }),
    ]);
    expect(cues[0]).toMatchObject({ start_ms: 4396, end_ms: 5230 });
    expect(cues[1]).toMatchObject({ start_ms: 5310 });
  });

  it('take time from the slow cue after a fast one', () => {
    const cues = cuesFromSegments([
      segment('This was all spoken a little too fast to read it.', 0, 2300),
      segment('This was not.', 2300, 5000),
    ]);
    expect(spansOf(cues)).toEqual([
      [0, 2450],
      [2530, 5000],
    ]);
  });

  it('start earlier if the media ends too soon after the last cue', () => {
    const cues = cuesFromSegments([segment('Hello there.', 0, 600), segment('Bye.', 1400, 1500)], {
      mediaDurationMs: 1800,
    });
    expect(spansOf(cues)).toEqual([
      [0, 886],
      [966, 1800],
    ]);
  });

  it.each([
    ['400 KB of combining marks', '\u0301'.repeat(200_000)],
    ['400 KB of marks with a space between', '\u0e31 '.repeat(100_000)],
    ['400 KB of Thai marks', '\u0e31'.repeat(130_000)],
    ['a tag of 2,000 characters', `<font face="${'x'.repeat(2000)}">hello</font>`],
    ['letters and marks apart (NFD)', 'Ou\u0300 e\u0301tait l\u2019e\u0301te\u0301\u00a0? '.repeat(40)],
    ['right to left', 'שלום וברוכים הבאים. '.repeat(40)],
    ['ideographs', '字幕がどのように作られるか。'.repeat(40)],
  ])('show the whole text: %s', (_, text) => {
    const cues = cuesFromSegments([segment(text, 0, 60_000)]);
    expect(letters(cues.flatMap(({ lines }) => lines).join('')).length).toBe(letters(text).length);
  });

  it('do not count combining marks as letters to read', () => {
    const nfd = 'e\u0301'.repeat(40);
    const [cue] = cuesFromSegments([segment(nfd, 0, 500)]);
    expect(cue).toMatchObject({ start_ms: 0, end_ms: Math.ceil(40_000 / 17) });
  });
});

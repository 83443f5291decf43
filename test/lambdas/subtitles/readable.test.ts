/** Cues stay readable for words with any times and texts. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cuesFromSegments } from '../../../lambdas/subtitles/rules/make-cues.ts';
import { displayWidth } from '../../../lambdas/subtitles/rules/script.ts';
import { segmentsFromWords } from '../../../lambdas/transcripts/segmentation/rules/make-segments.ts';
import type { Segment, Word } from '../../../shared/segments.ts';
import { countingIds, letters, segment } from './speech.ts';

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

describe('of extreme times', () => {
  it('every cue lasts from 5/6 s to 7 s, two frames after the one before', () => {
    fc.assert(
      fc.property(hostileSayings, (sayings) => {
        let free = 0;
        for (const { start_ms, end_ms } of cuesOf(wordsOf(sayings))) {
          expect(end_ms - start_ms).toBeGreaterThanOrEqual(5000 / 6);
          expect(end_ms - start_ms).toBeLessThanOrEqual(7000);
          expect(start_ms).toBeGreaterThanOrEqual(free);
          free = end_ms + 80;
        }
      }),
    );
  });

  it('no cue shows two sentences or two voices, and no word is lost', () => {
    fc.assert(
      fc.property(hostileSayings, (sayings) => {
        const words = wordsOf(sayings);
        const cues = cuesOf(words);
        for (const { lines, speaker } of cues) {
          const shown = lines.join(' ').split(' ');
          expect(new Set(shown.map((word) => /\d+/.exec(word)![0])).size).toBe(1);
          expect(shown.every((word) => word.replace(/^[Ww]\d+/, '')[0] === speaker)).toBe(true);
        }
        expect(letters(cues.flatMap(({ lines }) => lines).join(''))).toBe(
          letters(words.map(({ text }) => text).join('')),
        );
      }),
    );
  });

  it('the cues of fast words continue into the silence after them', () => {
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

  it('a word of 40 s is shown for 7', () => {
    const [cue] = cuesOf([{ text: 'Aaaah.', start_ms: 500, end_ms: 40_500, confidence: 1 }]);
    expect(cue).toMatchObject({ start_ms: 500, end_ms: 7500 });
  });
});

describe('of speech at up to 16 letters a second', () => {
  it('no cue exceeds 20 columns a second or is more than half a second late', () => {
    fc.assert(
      fc.property(sayingsOf(spokenWord, 3), (sayings) => {
        const words = wordsOf(sayings);
        for (const { start_ms, end_ms, lines } of cuesOf(words)) {
          expect(columns(lines)).toBeLessThanOrEqual(((end_ms - start_ms) * 20) / 1000);
          const first = words.find(({ text }) => text === lines[0]!.split(' ')[0])!;
          expect(start_ms - first.start_ms).toBeLessThanOrEqual(500);
        }
      }),
    );
  });
});

describe('of texts by people and translations', () => {
  const said = (text: string, more: Partial<Segment> = {}) =>
    cuesFromSegments([segment(text, 0, 4000, more)], { language: 'en' }).map(({ lines }) => lines.join(' '));

  it('a segment of several sentences becomes one cue for each sentence', () => {
    expect(said('Yes. I know. Dr. Smith told me, e.g. on Monday!')).toEqual([
      'Yes.',
      'I know.',
      'Dr. Smith told me, e.g. on Monday!',
    ]);
    expect(said('はい。分かりました。')).toEqual(['はい。', '分かりました。']);
  });

  it('short sentences wait for each other, at most until the next silence', () => {
    const cues = cuesFromSegments([
      segment('Yes.', 0, 300),
      segment('No.', 320, 500),
      segment('Well, maybe not today.', 520, 4000),
      segment('Fine.', 6000, 7000),
    ]);
    expect(cues.map(({ start_ms, end_ms }) => [start_ms, end_ms])).toEqual([
      [0, 834],
      [914, 1748],
      [1828, 4000],
      [6000, 7000],
    ]);
  });

  it('a short sentence before speech appears in the silence before it', () => {
    const cues = cuesFromSegments([
      segment('Yes.', 5000, 5300, { speaker: 'a' }),
      segment('Then we should go there at once.', 5310, 7500, { speaker: 'b' }),
    ]);
    expect(cues[0]).toMatchObject({ start_ms: 4396, end_ms: 5230 });
    expect(cues[1]).toMatchObject({ start_ms: 5310 });
  });

  it('a fast cue borrows time from the slow cue after it', () => {
    const cues = cuesFromSegments([
      segment('This was all spoken a little too fast to read it.', 0, 2300),
      segment('This was not.', 2300, 5000),
    ]);
    expect(cues.map(({ start_ms, end_ms }) => [start_ms, end_ms])).toEqual([
      [0, 2450],
      [2530, 5000],
    ]);
  });

  it('the last cue begins earlier if the media ends too soon', () => {
    const cues = cuesFromSegments([segment('Hello there.', 0, 600), segment('Bye.', 1400, 1500)], {
      mediaDurationMs: 1800,
    });
    expect(cues.map(({ start_ms, end_ms }) => [start_ms, end_ms])).toEqual([
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
  ])('%s are shown whole', (_, text) => {
    const cues = cuesFromSegments([segment(text, 0, 60_000)]);
    expect(letters(cues.flatMap(({ lines }) => lines).join('')).length).toBe(letters(text).length);
  });

  it('combining marks do not count as letters to read', () => {
    const nfd = 'e\u0301'.repeat(40);
    const [cue] = cuesFromSegments([segment(nfd, 0, 500)]);
    expect(cue).toMatchObject({ start_ms: 0, end_ms: Math.ceil(40_000 / 17) });
  });
});

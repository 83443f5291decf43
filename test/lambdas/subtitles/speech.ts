/** Speech for tests. It is either written by hand, at an even pace, or random. */
import fc from 'fast-check';
import type { Cue } from '../../../lambdas/subtitles/rules/cue.ts';
import type { Segment, Word } from '../../../shared/segments.ts';

/** Words at an even pace, starting at `at`. `word|400` adds a pause of 400 ms to the usual 20 ms. */
export function spoken(text: string, { at = 0, speaker }: { at?: number; speaker?: string } = {}): Word[] {
  let now = at;
  return text.split(/\s+/).map((written) => {
    const [word, pause] = written.split('|') as [string, string?];
    const start_ms = now;
    const end_ms = start_ms + 60 + 55 * word.length;
    now = end_ms + 20 + Number(pause ?? 0);
    return { text: word, start_ms, end_ms, confidence: 0.9, ...(speaker !== undefined && { speaker }) };
  });
}

/** A segment as an editor or a translation makes it: a text and times. It has words only if the test gives them. */
export function segment(
  text: string,
  start_ms: number,
  end_ms: number,
  more: Partial<Segment> = {},
): Segment {
  return {
    segment_id: `${start_ms}`,
    original_segment_id: null,
    start_ms,
    end_ms,
    text,
    speaker: null,
    speaker_id: null,
    confidence: null,
    words: [],
    ...more,
  };
}

export function countingIds(): () => string {
  let n = 0;
  return () => `segment-${++n}`;
}

/** All characters of a text except spaces and invisible direction marks. Tests compare what was said with it. */
export function letters(text: string): string {
  return text.replace(/[\s\p{Cf}]/gu, '');
}

const nasty = [
  '-->',
  '\n',
  '\r\n',
  '\n\n',
  '\0',
  '\u0085',
  '\u2028',
  '\ufeff',
  '\ud800',
  '<v A>',
  '</v>',
  '&amp;',
  '&',
  '<',
  '>',
];
const scripts = [
  'Hello',
  'été',
  'שלום',
  'مرحبا',
  '字幕を作る',
  'สวัสดีครับ',
  '👩‍👩‍👧',
  '\u202e',
  '\u2067',
  '1984',
  '...',
  '{\\an8}',
  '1',
];

/** Any text: characters of every Unicode plane, control characters, lone surrogates, and the markup of formats. */
export const anyText = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'binary', maxLength: 12 }),
      fc.constantFrom(...nasty),
      fc.constantFrom(...scripts),
      fc.constantFrom(' ', '  ', '\t', '\u00a0', '\u3000'),
    ),
    { maxLength: 8 },
  )
  .map((parts) => parts.join(''));

export const anyNumber = fc.oneof(
  fc.integer({ min: -1000, max: 400_000_000 }),
  fc.double(),
  fc.constantFrom(Number.NaN, Number.POSITIVE_INFINITY, -0, Number.MAX_SAFE_INTEGER, 1e300),
);

export const anyCue: fc.Arbitrary<Cue> = fc
  .record({
    start_ms: anyNumber,
    end_ms: anyNumber,
    lines: fc.array(anyText, { maxLength: 4 }),
    speaker: fc.option(anyText),
    isAtTop: fc.boolean(),
  })
  .map(({ isAtTop, ...cue }) => ({ ...cue, ...(isAtTop && { position: 'top' as const }) }));

const anyWordText = fc.oneof(
  fc.constantFrom(
    ...'the and of a to in house. Yes! Dr. however, 3.5 because U.S. 字幕 です。 שלום 👋 e.g. ,'.split(' '),
  ),
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 14 }),
);

/** Words as engines return them: in order, with occasional overlaps, pauses and changes of voice. */
export const anyWords: fc.Arbitrary<Word[]> = fc
  .array(
    fc.record({
      text: anyWordText,
      wait: fc.oneof(fc.integer({ min: -60, max: 90 }), fc.integer({ min: 100, max: 2500 })),
      length: fc.integer({ min: 0, max: 900 }),
      confidence: fc.double({ min: 0, max: 1, noNaN: true }),
      voice: fc.constantFrom('spk_0', 'spk_0', 'spk_0', 'spk_1'),
    }),
    { maxLength: 60 },
  )
  .map((heard) => {
    let now = 0;
    return heard.map(({ text, wait, length, confidence, voice }) => {
      const start_ms = Math.max(0, now + wait);
      now = start_ms + length;
      return { text, start_ms, end_ms: now, confidence, speaker: voice };
    });
  });

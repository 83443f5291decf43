import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { piecesOf, spokenIn } from '../../../lambdas/voice-over/rules/dub-plan.ts';
import { threeLetterCode } from '../../../lambdas/voice-over/rules/language-codes.ts';
import {
  groupsOf,
  LANGUAGE_SIZE,
  MOST_GROUPS,
  partAt,
  reachedAt,
  shareOf,
} from '../../../lambdas/voice-over/rules/progress-parts.ts';
import { languages } from '../../../shared/languages.ts';
import type { Segment } from '../../../shared/segments.ts';
import { forAny } from '../../support/for-any.ts';
import { segment as written } from '../subtitles/speech.ts';

const segment = (start_ms: number, end_ms: number, text: string, speaker = 'a') =>
  written(text, start_ms, end_ms, { speaker });
const speaking = { engine: 'e', language: 'es', fitting: 1, duration_ms: 10_000 };
const pieces = (segments: readonly Segment[], more: Partial<typeof speaking> = {}) =>
  piecesOf(segments, (speaker) => `voice of ${speaker}`, { ...speaking, ...more });

describe('the pieces of a language', () => {
  const segments = [segment(4000, 5000, 'dos', 'b'), segment(0, 1500, 'uno'), segment(9000, 12_000, 'tres')];

  it("are in order, each with its segment's time and the silence up to the next, within the media", () => {
    expect(pieces(segments).map(({ start_ms, slot_ms, room_ms }) => [start_ms, slot_ms, room_ms])).toEqual([
      [0, 1500, 2500],
      [4000, 1000, 4000],
      [9000, 1000, 0],
    ]);
  });

  it('leave out sounds in brackets, and segments without words', () => {
    const texts = ['♪', ' ', '[aplausos]', '[ríe] Sí, claro [tos]', '- No.\n[música]', 'sí ] no'];
    const made = pieces(texts.map((text, at) => segment(at * 1000, at * 1000 + 900, text)));
    expect(made.map(({ text }) => text)).toEqual(['Sí, claro', '- No.', 'sí ] no']);
  });

  it('keep their names unless their speech would change', () => {
    const names = (changed: readonly Segment[], more = {}) => pieces(changed, more).map(({ name }) => name);
    const before = names(segments);
    expect(names(segments.map((one) => ({ ...one, segment_id: 'another', confidence: 1 })))).toEqual(before);
    const edited = segments.map((one) => (one.text === 'dos' ? { ...one, text: 'dos y medio' } : one));
    expect(names(edited).map((name, at) => name === before[at])).toEqual([true, false, true]);
    const later = segments.map((one) => (one.text === 'dos' ? { ...one, start_ms: 4100 } : one));
    expect(names(later).map((name, at) => name === before[at])).toEqual([false, false, true]);
    for (const more of [{ engine: 'f' }, { language: 'ca' }, { fitting: 2 }])
      expect(names(segments, more).filter((name) => before.includes(name))).toEqual([]);
  });

  it("record the times of the original's speech, with overlapping and touching spans joined", () => {
    expect(spokenIn([segment(3000, 4000, ''), segment(0, 1000, ''), segment(900, 2000, '')])).toEqual([
      { start_ms: 0, end_ms: 2000 },
      { start_ms: 3000, end_ms: 4000 },
    ]);
  });
});

describe('the parts of a job', () => {
  it('are a limited number of groups of all segments, in order', () => {
    forAny([fc.nat(12_000)], (count) => {
      const groups = groupsOf(count);
      expect(groups.length).toBeLessThanOrEqual(MOST_GROUPS);
      expect(groups.flatMap(({ from, to }) => (to > from ? [to - from] : [])).length).toBe(groups.length);
      expect(groups.reduce((at, { from, to }) => (from === at ? to : Number.NaN), 0)).toBe(count);
    });
  });

  it('have sizes that add up to the size of a language, and unique numbers', () => {
    for (const groups of [0, 1, 7, MOST_GROUPS]) {
      expect(shareOf({ index: 0, groups }, ({ size }) => size)).toBeLessThanOrEqual(1);
      expect(reachedAt({ index: 0, groups }, 'video', 1)).toBe(1);
    }
    const places = [...Array.from({ length: MOST_GROUPS }, (_, at) => at), 'sound', 'video'] as const;
    const parts = [0, 1, 19].flatMap((index) =>
      places.map((place) => partAt({ index, groups: MOST_GROUPS }, place)),
    );
    expect(new Set(parts.map(({ index }) => index)).size).toBe(parts.length);
    expect(LANGUAGE_SIZE).toBeGreaterThan(0);
  });
});

describe('the code of a language in media', () => {
  it('is the ISO 639-2 code, for each language of the service', () => {
    for (const { code } of languages) {
      const three = threeLetterCode(code);
      expect(three).toMatch(/^[a-z]{3}$/);
      expect(new Intl.Locale(three).language, code).toBe(new Intl.Locale(code).language);
    }
    expect(threeLetterCode('xx')).toBe('und');
  });
});

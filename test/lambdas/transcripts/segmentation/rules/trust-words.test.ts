import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { trustedWords } from '../../../../../lambdas/transcripts/segmentation/rules/trust-words.ts';
import type { Word } from '../../../../../shared/segments.ts';
import type { Sound, SoundKind } from '../../../../../shared/sound.ts';
import { forAny } from '../../../../support/for-any.ts';

const word = (text: string, start_ms: number, end_ms: number): Word => ({
  text,
  start_ms,
  end_ms,
  confidence: 1,
});
const sound = (start_ms: number, end_ms: number, kind: SoundKind, level_db = -20): Sound => ({
  start_ms,
  end_ms,
  kind,
  level_db,
});
const speech = [sound(0, 3_600_000, 'speech')];
const trusted = (words: Word[], sounds = speech, tells_speech_apart = false) =>
  trustedWords([{ words, tells_speech_apart }], { sounds, utterances: [], pauses: [] }).map(
    ({ text, start_ms, end_ms }) => [text, start_ms, end_ms],
  );

describe('the times of words', () => {
  it('stay as they are if they are valid', () => {
    expect(trusted([word('a', 100, 130), word('b', 130, 400), word('c', 900, 1000)])).toEqual([
      ['a', 100, 130],
      ['b', 130, 400],
      ['c', 900, 1000],
    ]);
  });

  it('end at the start of the next word', () => {
    expect(trusted([word('a', 100, 500), word('b', 300, 600)])).toEqual([
      ['a', 100, 300],
      ['b', 300, 600],
    ]);
  });

  it('last at least 30 ms, which can delay the next word slightly', () => {
    expect(trusted([word('a', 100, 105), word('b', 110, 400), word('c', 500, 501)])).toEqual([
      ['a', 100, 130],
      ['b', 130, 400],
      ['c', 500, 530],
    ]);
  });

  it('are not shortened too much: words without enough time are removed', () => {
    const crowd = Array.from({ length: 30 }, (_, i) => word(`w${i}`, 1000 + 2 * i, 1002 + 2 * i));
    const [first, second, third] = trusted([...crowd, word('after', 1300, 1600)]);
    expect([first, second]).toEqual([
      ['w0', 1000, 1030],
      ['w1', 1030, 1060],
    ]);
    expect(third![1]).toBeGreaterThanOrEqual(1060);
    expect(trusted([...crowd, word('after', 1300, 1600)]).at(-1)).toEqual(['after', 1300, 1600]);
  });

  it('that are out of order cause the removal of only their own words, even if one time is very late', () => {
    const words = [word('a', 0, 100), word('lost', 52_000, 52_200), word('b', 200, 300), word('c', 400, 500)];
    expect(trusted(words).map(([text]) => text)).toEqual(['a', 'b', 'c']);
  });

  it.each([
    [Number.NaN, 100],
    [-50, 20],
    [300, 200],
    [100, Number.POSITIVE_INFINITY],
  ])('are rejected if nothing can last from %s to %s', (start_ms, end_ms) => {
    expect(trusted([word('never', start_ms, end_ms)])).toEqual([]);
  });

  it('are in order, without overlap, at least 30 ms long and at most 30 ms late, for any input', () => {
    const anyWord = fc.tuple(fc.nat(5000), fc.integer({ min: -20, max: 400 }));
    forAny([fc.array(anyWord, { maxLength: 60 })], (times) => {
      const words = times.map(([start, length], i) => word(String(i), start, start + length));
      let before = 0;
      for (const [text, start, end] of trusted(words) as [string, number, number][]) {
        expect(start).toBeGreaterThanOrEqual(before);
        expect(end - start).toBeGreaterThanOrEqual(30);
        const moved = start - words[Number(text)]!.start_ms;
        expect(moved).toBeGreaterThanOrEqual(0);
        expect(moved).toBeLessThanOrEqual(30);
        before = end;
      }
    });
  });
});

describe('words during silence or music', () => {
  const sounds = [
    sound(0, 1000, 'speech'),
    sound(1000, 2000, 'music'),
    sound(2000, 3000, 'noise'),
    sound(3000, 4000, 'silence', -50),
    sound(4000, 5000, 'silence', -80),
    sound(5000, 6000, 'speech'),
  ];
  const words = [500, 1500, 2500, 3500, 4500, 5500].map((at) => word(String(at), at, at + 100));

  it('are removed for an engine that returns words for any sound', () => {
    expect(trusted(words, sounds).map(([text]) => text)).toEqual(['500', '5500']);
  });

  it('are kept for an engine that detects speech, except during digital silence', () => {
    expect(trusted(words, sounds, true).map(([text]) => text)).toEqual([
      '500',
      '1500',
      '2500',
      '3500',
      '5500',
    ]);
  });

  it('are kept if most of a word is speech', () => {
    expect(trusted([word('yes', 900, 1080), word('no', 940, 1100)], sounds).map(([text]) => text)).toEqual([
      'yes',
    ]);
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { wordsOfText, wordsWithin } from '../../../../../lambdas/transcripts/segments/rules/fit-words.ts';
import type { Word } from '../../../../../shared/segments.ts';
import { forAny } from '../../../../support/for-any.ts';

/** One word every 300 ms, starting at 1000 ms. Each word lasts 200 ms. */
const heard = (text: string): Word[] =>
  text.split(' ').map((word, at) => ({
    text: word,
    start_ms: 1000 + at * 300,
    end_ms: 1200 + at * 300,
    confidence: 0.8,
  }));

const times = (words: readonly Word[]) => words.map(({ text, start_ms, end_ms }) => [text, start_ms, end_ms]);

describe('the words of an edited text', () => {
  it('keep times and confidence if only case and punctuation change', () => {
    const words = wordsOfText(heard('welcome to kinora'), 'Welcome to Kinora!');
    expect(times(words)).toEqual([
      ['Welcome', 1000, 1200],
      ['to', 1300, 1500],
      ['Kinora!', 1600, 1800],
    ]);
    expect(words.map(({ confidence }) => confidence)).toEqual([0.8, 0.8, 0.8]);
  });

  it('have the time of the replaced word, and no confidence, for a corrected word', () => {
    const words = wordsOfText(heard('welcome to canola today'), 'Welcome to Kinora today');
    expect(times(words)[2]).toEqual(['Kinora', 1600, 1800]);
    expect(words[2]!.confidence).toBeNaN();
    expect(times(words)[3]).toEqual(['today', 1900, 2100]);
  });

  it('share the time of one word if it becomes two, by their lengths', () => {
    expect(times(wordsOfText(heard('well come in'), 'welcome in'))).toEqual([
      ['welcome', 1000, 1500],
      ['in', 1600, 1800],
    ]);
    const [first, second] = wordsOfText(heard('cannot stop'), 'can not stop');
    expect(first!.start_ms).toBe(1000);
    expect(second!.end_ms).toBe(1200);
  });

  it('are put into the pause at their position if they are added', () => {
    expect(times(wordsOfText(heard('to be'), 'to a be'))[1]).toEqual(['a', 1200, 1300]);
  });

  it('share the time of the words next to them if the pause is too short to say them', () => {
    const words = wordsOfText(heard('we have to be here'), 'we have to unquestionably be here');
    const crushed = words.find(({ text }) => text === 'unquestionably')!;
    expect(crushed.end_ms - crushed.start_ms).toBeGreaterThan((14 * 1000) / 25 - 50);
    expect(times(words).at(-1)).toEqual(['here', 2200, 2400]);
  });

  it('are distributed over all of the time if the text has little in common with the recognized words', () => {
    const said = heard(
      'the machine writes down what they hear and the words of a film are sent with a video',
    );
    const words = wordsOfText(said, 'Cats like sleeping late. Dogs sometimes chase a video.');
    const letters = words.map(({ text }) => text.length);
    const paces = words.map(({ start_ms, end_ms }, i) => (letters[i]! * 1000) / (end_ms - start_ms));
    expect(Math.max(...paces) / Math.min(...paces)).toBeLessThan(1.1);
    expect([words[0]!.start_ms, words.at(-1)!.end_ms]).toEqual([said[0]!.start_ms, said.at(-1)!.end_ms]);
  });

  it('are removed without earlier words, and in scripts without spaces', () => {
    expect(wordsOfText([], 'Hello there')).toEqual([]);
    expect(wordsOfText(heard('今日 は'), '今日は良い')).toEqual([]);
  });

  const word = fc.stringMatching(/^[a-c]{1,3}[.,]?$/);
  it('are the words of the text in order, each with its own time, or there are none', () => {
    forAny(
      [fc.array(word, { minLength: 1, maxLength: 12 }), fc.array(word, { minLength: 1, maxLength: 12 })],
      (before, after) => {
        const spoken = heard(before.join(' '));
        const words = wordsOfText(spoken, after.join(' '));
        if (words.length === 0) return;
        expect(words.map(({ text }) => text)).toEqual(after);
        const pace = (after.join('').length * 1000) / (spoken.at(-1)!.end_ms - spoken[0]!.start_ms);
        const runs = words.filter(({ confidence }) => Number.isNaN(confidence));
        // Rounding loses one millisecond.
        for (const { text, start_ms, end_ms } of runs)
          expect((text.length * 1000) / (end_ms - start_ms + 1)).toBeLessThanOrEqual(
            Math.max(25, pace) * 1.2,
          );
        let free = spoken[0]!.start_ms;
        for (const { start_ms, end_ms } of words) {
          expect(start_ms).toBeGreaterThanOrEqual(free);
          expect(end_ms).toBeGreaterThan(start_ms);
          free = end_ms;
        }
        expect(free).toBeLessThanOrEqual(spoken.at(-1)!.end_ms);
      },
    );
  });
});

describe('the words of a moved segment', () => {
  const span = { start_ms: 1000, end_ms: 2000 };

  it('move with it if its duration stays', () => {
    const words = wordsWithin(heard('one two three'), span, { start_ms: 1500, end_ms: 2500 });
    expect(times(words)).toEqual([
      ['one', 1500, 1700],
      ['two', 1800, 2000],
      ['three', 2100, 2300],
    ]);
  });

  it('keep their relative positions if it becomes longer or shorter', () => {
    const words = heard('one two three');
    expect(times(wordsWithin(words, span, { start_ms: 500, end_ms: 3000 }))).toEqual([
      ['one', 500, 1000],
      ['two', 1250, 1750],
      ['three', 2000, 2500],
    ]);
    expect(times(wordsWithin(words, span, { start_ms: 1000, end_ms: 1500 }))).toEqual([
      ['one', 1000, 1100],
      ['two', 1150, 1250],
      ['three', 1300, 1400],
    ]);
  });

  it('last at least 1 ms each, and are removed if there are more words than milliseconds', () => {
    const words = heard('one two three');
    expect(times(wordsWithin(words, span, { start_ms: 0, end_ms: 3 }))).toEqual([
      ['one', 0, 1],
      ['two', 1, 2],
      ['three', 2, 3],
    ]);
    expect(wordsWithin(words, span, { start_ms: 0, end_ms: 2 })).toEqual([]);
  });

  it('always lie within the segment, in order', () => {
    const spans = fc
      .tuple(fc.nat(5000), fc.integer({ min: 1, max: 5000 }))
      .map(([start_ms, length]) => ({ start_ms, end_ms: start_ms + length }));
    forAny([spans], (to) => {
      let free = to.start_ms;
      for (const { start_ms, end_ms } of wordsWithin(heard('one two three'), span, to)) {
        expect(start_ms).toBeGreaterThanOrEqual(free);
        expect(end_ms).toBeGreaterThan(start_ms);
        free = end_ms;
      }
      expect(free).toBeLessThanOrEqual(to.end_ms);
    });
  });
});

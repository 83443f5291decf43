import { array, integer, record } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { withVoices } from '../../../../../lambdas/transcripts/segmentation/rules/assign-voices.ts';
import { segmentsFromWords } from '../../../../../lambdas/transcripts/segmentation/rules/make-segments.ts';
import type { Word } from '../../../../../shared/segments.ts';
import type { Turn } from '../../../../../shared/sound.ts';
import { forAny } from '../../../../support/for-any.ts';

/** Words of `text`, starting at `start_ms`, with 200 ms for each word. Each "|" is a pause of 400 ms. */
function spoken(text: string, start_ms = 0): Word[] {
  let at = start_ms;
  return text.split(' ').flatMap((word) => {
    at += word === '|' ? 400 : 200;
    return word === '|' ? [] : [{ text: word, start_ms: at - 200, end_ms: at, confidence: 0.9 }];
  });
}

const turn = (voice: number, start_ms: number, end_ms: number): Turn => ({ voice, start_ms, end_ms });

const voicesOf = (words: readonly Word[], turns: readonly Turn[]) =>
  withVoices(words, turns)
    .map(({ speaker }) => speaker?.replace('Speaker ', '') ?? '-')
    .join('');

describe('the voices of words', () => {
  it('are those that share most of the time of a word', () => {
    const words = spoken('a b | c d');
    expect(voicesOf(words, [turn(1, 0, 500), turn(2, 700, 1200)])).toBe('1122');
    expect(voicesOf(words, [turn(1, 0, 850), turn(2, 850, 1200)])).toBe('1122');
  });

  it('are the nearest ones for a word outside all turns', () => {
    expect(voicesOf(spoken('a | b | c'), [turn(2, 150, 300), turn(1, 1300, 1600)])).toBe('221');
    expect(voicesOf(spoken('late', 9000), [turn(1, 0, 100), turn(2, 200, 300)])).toBe('2');
  });

  it('have the labels Speaker 1, 2 …, and a single voice has Speaker 1', () => {
    const words = withVoices(spoken('all mine'), [turn(1, 0, 400)]);
    expect(words.map(({ speaker }) => speaker)).toEqual(['Speaker 1', 'Speaker 1']);
  });

  it('are those of the engine if it names speakers, and no words are lost if no voices were distinguished', () => {
    const named = spoken('hello there').map((word) => ({ ...word, speaker: 'spk_0' }));
    expect(withVoices(named, [turn(1, 0, 400)])).toEqual(named);
    expect(withVoices(spoken('hello'), [])).toEqual(spoken('hello'));
  });

  it('never change for a single word in fluent speech', () => {
    expect(voicesOf(spoken('a b c d e'), [turn(1, 0, 400), turn(2, 400, 600), turn(1, 600, 1000)])).toBe(
      '11111',
    );
  });

  it('can change for a single word between pauses', () => {
    expect(
      voicesOf(spoken('a b | yes | d e'), [turn(1, 0, 500), turn(2, 500, 1300), turn(1, 1300, 2000)]),
    ).toBe('11211');
  });

  it('change at a nearby pause or end of a sentence, before or after the turn', () => {
    expect(voicesOf(spoken('a b | c d e f'), [turn(1, 0, 950), turn(2, 950, 2000)])).toBe('112222');
    expect(voicesOf(spoken('a b c d | e f'), [turn(1, 0, 550), turn(2, 550, 2000)])).toBe('111122');
    expect(voicesOf(spoken('a b. c d e'), [turn(1, 0, 600), turn(2, 600, 1000)])).toBe('11222');
  });

  it('do not change at a distant pause instead', () => {
    expect(voicesOf(spoken('a | b c d e f g'), [turn(1, 0, 1600), turn(2, 1600, 2000)])).toBe('1111112');
  });

  it('divide sentences, so that a new voice has a new cue', () => {
    const words = withVoices(spoken('how are you fine thanks'), [turn(1, 0, 600), turn(2, 600, 1000)]);
    let id = 0;
    const segments = segmentsFromWords(words, { newId: () => String(id++) });
    expect(segments.map(({ text, speaker }) => [speaker, text])).toEqual([
      ['Speaker 1', 'How are you'],
      ['Speaker 2', 'Fine thanks'],
    ]);
  });

  it('change no words, order and times, for any turns', () => {
    const lengths = array(
      record({ pause: integer({ min: 0, max: 900 }), voice: integer({ min: 1, max: 3 }) }),
    );
    forAny([lengths, lengths], (wordLengths, turnLengths) => {
      let at = 0;
      const words = wordLengths.map(({ pause }, i) => {
        at += pause + 150;
        return { text: `w${i}`, start_ms: at - 150, end_ms: at, confidence: 1 };
      });
      let from = 0;
      const turns = turnLengths.map(({ pause, voice }) => {
        from += pause + 1;
        return turn(voice, from - pause - 1, from);
      });
      const labelled = withVoices(words, turns);
      expect(labelled.map(({ speaker, ...word }) => word)).toEqual(words);
      const known = new Set(turns.map(({ voice }) => `Speaker ${voice}`));
      if (turns.length > 0) for (const { speaker } of labelled) expect(known).toContain(speaker);
    });
  });
});

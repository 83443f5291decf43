import { describe, expect, it } from 'vitest';
import {
  type WordLists,
  withWordLists,
} from '../../../../../lambdas/transcripts/segmentation/rules/apply-word-lists.ts';
import { segmentsFromWords } from '../../../../../lambdas/transcripts/segmentation/rules/make-segments.ts';
import type { Word } from '../../../../../shared/segments.ts';
import { countingIds, spoken } from '../../../subtitles/speech.ts';

const none = { blacklist: [], whitelist: [], dictionary: {} };
const written = (said: string, lists: Partial<WordLists>) =>
  withWordLists(spoken(said), { ...none, ...lists }).map((word) => word.written ?? word.text);

describe('a blacklist', () => {
  it('removes whole words and phrases, regardless of case, accents and punctuation', () => {
    const blacklist = ['darn', 'CAFE', 'old hat', 'Straße'];
    expect(written('Darn, a darning cafe\u0301 is an old hat. STRASSE!', { blacklist })).toEqual([
      'a',
      'darning',
      'is',
      'an.',
    ]);
  });

  it('leaves silence in place of the removed words', () => {
    const words = spoken('one darn two');
    const [one, two] = withWordLists(words, { ...none, blacklist: ['darn'] });
    expect([one!.end_ms, two!.start_ms]).toEqual([words[0]!.end_ms, words[2]!.start_ms]);
  });

  it('removes any number of consecutive words', () => {
    const words = spoken(`one ${'darn '.repeat(150_000)}two`);
    const heard = withWordLists(words, { ...none, blacklist: ['darn'] });
    expect(heard.map(({ text }) => text)).toEqual(['one', 'two']);
  });

  it.each(['en', 'fr'])(
    'leaves no pause in %s: the speech around the removed word stays in one segment',
    (language) => {
      const textsOf = (pause_ms: number) => {
        const said = 'the people who told us darn this were right'.split(' ');
        let at = 0;
        const words = said.map((text): Word => {
          const start_ms = at + (text === 'darn' ? pause_ms : 0);
          at = start_ms + (text === 'darn' ? 900 : 300);
          return { text, start_ms, end_ms: at, confidence: 1 };
        });
        const heard = withWordLists(words, { ...none, blacklist: ['darn'] });
        const segments = segmentsFromWords(heard, { newId: countingIds(), language });
        for (const word of segments.flatMap((segment) => segment.words))
          expect(word).not.toHaveProperty('left_out_ms');
        return segments.map(({ text }) => text.toLowerCase().replace('.', ''));
      };
      expect(textsOf(40)).toEqual(['the people who told us this were right']);
      // A pause near a removed word is still a pause.
      expect(textsOf(1500)).toEqual(['the people who told us', 'this were right']);
    },
  );

  it('removes no part of a word or of a phrase', () => {
    expect(written('cannot go', { blacklist: ['can', 'go away'] })).toEqual(['cannot', 'go']);
    expect(written("don't don", { blacklist: ['don'] })).toEqual(["don't"]);
  });

  it('finds words in scripts without spaces, as the engine separates them', () => {
    expect(written('字 幕 を 作る', { blacklist: ['字幕'] })).toEqual(['を', '作る']);
    expect(written('か が', { blacklist: ['か'] })).toEqual(['が']);
    expect(written('مُحَمَّد هنا', { blacklist: ['محمد'] })).toEqual(['هنا']);
  });
});

describe('a whitelist', () => {
  it('keeps its words with its own spelling, even if a blacklist contains them', () => {
    const lists = { whitelist: ['Kinora', 'B-roll', 'iPhone'], blacklist: ['kinora', 'the b roll'] };
    expect(written('kinora, the b roll. iphone', lists)).toEqual(['Kinora,', 'the', 'B-roll.', 'iPhone']);
  });

  it('does not make a text without capitals count as one with capitals', () => {
    const said = spoken('hello kinora this is the first day|900 we made it well');
    const words = withWordLists(said, { ...none, whitelist: ['Kinora', 'iPhone'] });
    const segments = segmentsFromWords(words, { newId: countingIds(), language: 'en' });
    expect(segments.map(({ text }) => text)).toEqual([
      'Hello Kinora this is the first day.',
      'We made it well.',
    ]);
    expect(segments[0]!.words[1]).toEqual({ ...spoken('hello kinora')[1], text: 'Kinora' });
  });
});

describe('a dictionary', () => {
  it('expands a term to its first expansion, the longest term first, unless a whitelist contains the term', () => {
    const eu = { EU: ['European Union', 'Europe'], 'EU law': ['law of the Union'] };
    const dictionary = { ...eu, VO: ['voice over'] };
    expect(written('the eu and eu law, vo', { dictionary, whitelist: ['VO'] })).toEqual([
      'the',
      'European Union',
      'and',
      'law of the Union,',
      'VO',
    ]);
  });

  it('gives each word of an expansion its share of the time', () => {
    const words = withWordLists(spoken('the eu spoke'), { ...none, dictionary: { eu: ['European Union'] } });
    const [heard] = spoken('the eu').slice(1);
    const [segment] = segmentsFromWords(words, { newId: countingIds(), language: 'fr' });
    expect(segment!.text).toContain('European Union');
    expect(segment!.words.map(({ text }) => text)).toEqual(['the', 'European', 'Union', 'spoke']);
    expect(segment!.words[1]!.start_ms).toBe(heard!.start_ms);
    expect(segment!.words[2]!.end_ms).toBe(heard!.end_ms);
  });
});

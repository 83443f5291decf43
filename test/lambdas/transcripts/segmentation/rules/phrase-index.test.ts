import { describe, expect, it } from 'vitest';
import { Phrases } from '../../../../../lambdas/transcripts/segmentation/rules/phrase-index.ts';

const phrasesOf = (...texts: string[]) => {
  const phrases = new Phrases<string>();
  for (const text of texts) phrases.add(text.split(' '), text);
  return phrases;
};
const standing = (phrases: Phrases<string>, text: string) =>
  phrases.standing((offset) => text.split(' ')[offset]).flatMap(({ values }) => values);

describe('the phrases of an index', () => {
  it('are found if all of their words match, the shortest first', () => {
    const phrases = phrasesOf('New York', 'New York Times', 'New', 'York', 'New Delhi');
    expect(standing(phrases, 'New York Times today')).toEqual(['New', 'New York', 'New York Times']);
    expect(standing(phrases, 'New York')).toEqual(['New', 'New York']);
    expect(standing(phrases, 'Old York')).toEqual([]);
  });

  it('have their values in order, and are never found without words', () => {
    const phrases = phrasesOf('a', 'a');
    phrases.add(['a'], 'b');
    phrases.add([], 'nowhere');
    expect(standing(phrases, 'a')).toEqual(['a', 'a', 'b']);
    expect(standing(phrases, 'c')).toEqual([]);
  });

  it('need no additional lookups if thousands start with the same words', () => {
    const phrases = phrasesOf(...Array.from({ length: 20_000 }, (_, at) => `the word${at}`));
    let looks = 0;
    const found = phrases.standing((offset) => {
      looks += 1;
      return ['the', 'word19999', 'ends'][offset];
    });
    expect(found.map(({ length }) => length)).toEqual([2]);
    expect(looks).toBe(3);
  });
});

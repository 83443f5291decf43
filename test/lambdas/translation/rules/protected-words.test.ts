import { describe, expect, it } from 'vitest';
import { apertium } from '../../../../engines/translation/apertium.ts';
import { translateWithMasks } from '../../../../engines/translation/translate-with-masks.ts';
import { keeping, keptIn } from '../../../../lambdas/translation/rules/protected-words.ts';
import { hasApertium } from '../../../engines/translation/apertium-installed.ts';

const names = ['Kinora', 'New York Times', 'Ana Ruiz', 'C++'];
const frames = [
  (part: string) => `${part} is here.`,
  (part: string) => `The old houses of ${part} are red, and they see the garden.`,
  (part: string) => `When did you read ${part}?`,
  (part: string) => `She said: “${part},” and he wrote it down twice`,
];
const parts = [
  ...names,
  '{name}',
  '<b>',
  '%d',
  '42',
  '1,000,000',
  '3.5',
  '12:30',
  '5 p.m.',
  "O'Brien",
  '%{total}',
  'https://a.example/b?c=d',
  '@ann',
  '1999 and 2001',
  '🎬',
  'a_b',
];
const sentences = parts.flatMap((part) => frames.map((frame) => frame(part)));

describe.skipIf(!hasApertium())('Apertium keeps names, numbers and placeholders', () => {
  it.each(['es', 'fr', 'ca', 'it', 'pt'])(
    'from English into %s, at every position of a sentence',
    async (target) => {
      const engine = await apertium.make({ settings: { APERTIUM_PATH: 'apertium' } });
      const answers = await translateWithMasks(sentences, keeping(keptIn(names)), (texts) =>
        engine.translate(texts, { source: 'en', target }),
      );
      const kept = parts.flatMap((part) =>
        frames.map(() => (part.includes(' and ') ? part.split(' and ') : [part])),
      );
      const digits = (text: string) => text.replace(/[.,:]/g, '');
      kept.forEach((each, at) => {
        for (const part of each) expect(digits(answers[at]!), sentences[at]!).toContain(digits(part));
      });
      // Most sentences are translated as a whole: they are not split to keep a word.
      expect(answers.filter((answer, at) => answer === sentences[at]!)).toEqual([]);
    },
  );
});

describe('words that are not translated', () => {
  const foundIn = (text: string, words: string[]) =>
    keptIn(words)(text).map(({ start, end }) => text.slice(start, end));

  it.each([
    ['Yahoo! is here, and so is Yahoo.', ['Yahoo!'], ['Yahoo', 'Yahoo']],
    ['“Dr. Who,” she said to Dr. No.', ['Dr. Who'], ['Dr. Who']],
    ["McDonald's is NASA's: “NASA’s McDonald”.", ["McDonald's", 'NASA'], ["McDonald's", 'NASA', 'NASA']],
    ['Well ... who?', ['...'], []],
  ])('are found with their punctuation: %s', (text, words, found) => {
    expect(foundIn(text, words)).toEqual(found);
  });
});

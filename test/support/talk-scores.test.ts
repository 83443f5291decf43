import { expect, it } from 'vitest';
import { wordErrorRate } from './talk-scores.ts';

it.each([
  ['the same words', 'the cat sat', 'the cat sat', 0],
  ['case, punctuation and apostrophes', "Don't stop, Ana!", 'don’t stop ana', 0],
  ['one word heard as another', 'the cat sat down', 'the bat sat down', 1 / 4],
  ['one word missing', 'the cat sat down', 'the cat down', 1 / 4],
  ['one word too many', 'the cat sat down', 'the big cat sat down', 1 / 4],
  ['a number written out', 'in 1984', 'in nineteen eighty four', 3 / 2],
  ['a number with its point', 'up 3.5 percent', 'up 35 percent', 1 / 3],
  ['nothing heard', 'the cat', '', 1],
  ['nothing said', '', 'the cat', 2],
  ['nothing at all', '', '', 0],
])('the word error rate counts %s', (_, reference, hypothesis, rate) => {
  expect(wordErrorRate(reference, hypothesis)).toBeCloseTo(rate, 10);
});

import { expect, it } from 'vitest';
import { chrF } from './chrf.ts';

it('chrF is 100 for the reference with any spaces, and 0 without a common character', () => {
  expect(chrF(['una casa roja'], ['una  casa roja'])).toBe(100);
  expect(chrF(['xyz'], ['una casa'])).toBe(0);
  expect(chrF([''], ['una'])).toBe(0);
});

it('chrF weights recall twice as much as precision, and all lengths of n-grams equally', () => {
  // abc against abd: 2 of 3 1-grams match, 1 of 2 2-grams and 0 of 1 3-grams. Longer n-grams do not exist.
  expect(chrF(['abc'], ['abd'])).toBeCloseTo((100 * (2 / 3 + 1 / 2 + 0)) / 3, 10);
  // Half of the text is missing: precision is 1, recall is 1/2, 1/3 and so on, F2 = 5PR / (4P + R).
  const f2 = (recall: number) => (5 * recall) / (4 + recall);
  expect(chrF(['ab'], ['abcd'])).toBeCloseTo((100 * (f2(2 / 4) + f2(1 / 3))) / 2, 10);
});

it('chrF counts all sentences together', () => {
  expect(chrF(['abcdefg', 'x'], ['abcdefg', 'y'])).toBeGreaterThan(80);
});

import { expect, it } from 'vitest';
import { chrF } from './chrf.ts';

it('chrF is 100 for the reference itself, whatever its spaces, and 0 for what shares no character', () => {
  expect(chrF(['una casa roja'], ['una  casa roja'])).toBe(100);
  expect(chrF(['xyz'], ['una casa'])).toBe(0);
  expect(chrF([''], ['una'])).toBe(0);
});

it('chrF weighs recall twice as much as precision, each length of n-grams alike', () => {
  // abc against abd: 1-grams 2 of 3, 2-grams 1 of 2, 3-grams 0 of 1; longer ones there are none.
  expect(chrF(['abc'], ['abd'])).toBeCloseTo((100 * (2 / 3 + 1 / 2 + 0)) / 3, 10);
  // Half of it missing: precision 1 throughout, recall 1/2, 1/3 and so on, F2 = 5PR / (4P + R).
  const f2 = (recall: number) => (5 * recall) / (4 + recall);
  expect(chrF(['ab'], ['abcd'])).toBeCloseTo((100 * (f2(2 / 4) + f2(1 / 3))) / 2, 10);
});

it('chrF counts over all sentences together', () => {
  expect(chrF(['abcdefg', 'x'], ['abcdefg', 'y'])).toBeGreaterThan(80);
});

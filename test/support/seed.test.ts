import fc from 'fast-check';
import { expect, it } from 'vitest';

it('fast-check generates the same cases in each run', () => {
  const drawn = () => fc.sample(fc.integer(), 20);
  expect(drawn()).toEqual(drawn());
});

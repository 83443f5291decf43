import fc from 'fast-check';
import { expect, it } from 'vitest';

it('draws the same cases whenever it runs', () => {
  const drawn = () => fc.sample(fc.integer(), 20);
  expect(drawn()).toEqual(drawn());
});

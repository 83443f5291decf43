import fc, { array, constantFrom, integer, property } from 'fast-check';
import { expect, it } from 'vitest';
import { splitText } from '../../engines/split-text.ts';

const texts = array(constantFrom('a', 'más', ' ', '. ', '! ', '…" ', '\n', '😀', '長い文。', '&'), {
  maxLength: 200,
});

it('splits a long text into parts that fit, and loses only space at the end', () => {
  fc.assert(
    property(texts, integer({ min: 2, max: 40 }), (pieces, most) => {
      const text = pieces.join('');
      const parts = splitText(text, most, (part) => part.length);
      expect(parts.join('').trimEnd()).toBe(text.trimEnd());
      for (const part of parts) {
        expect(part.length).toBeLessThanOrEqual(most);
        expect(part.isWellFormed()).toBe(true);
      }
    }),
  );
});

it('splits after sentences, or between words', () => {
  const parts = (text: string, most: number) => splitText(text, most, (part) => part.length);
  expect(parts('Uno dos. Tres cuatro cinco seis.', 14)).toEqual(['Uno dos. ', 'Tres cuatro ', 'cinco seis.']);
  expect(parts('short', 14)).toEqual(['short']);
});

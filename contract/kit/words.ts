/** Words of lists and dictionaries. */
import Type from 'typebox';
import { Line } from './schemas.ts';

export const Word = (description: string) => Line(description, 200);

/** A list may have 300 KB of words, which is checked when it is stored. */
export const Words = (description: string) =>
  Type.Array(Word('Word or phrase'), {
    minItems: 1,
    maxItems: 50_000,
    description: `${description}, each once regardless of case; at most 300 KB as UTF-8 JSON`,
  });

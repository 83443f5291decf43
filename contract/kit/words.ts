/** Words of lists and dictionaries. */
import Type from 'typebox';
import { Line } from './schemas.ts';

export const Word = (description: string) => Line(description, 200);

/** 300 KB of words are more than any list of people's choosing; the sum is checked when they are stored. */
export const Words = (description: string) =>
  Type.Array(Word('Word or phrase'), {
    minItems: 1,
    maxItems: 50_000,
    description: `${description}, each once, whatever its case; 300 KB at most, as UTF-8 JSON`,
  });

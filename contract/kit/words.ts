import Type from 'typebox';
import { Line } from './schemas.ts';

export const Word = (description: string) => Line(description, 200);

/** The maximum number of words is 50,000. The total size, at most 300 KB, is checked when the list is stored. */
export const Words = (description: string) =>
  Type.Array(Word('Word or phrase'), {
    minItems: 1,
    maxItems: 50_000,
    description: `${description}, each once regardless of case; at most 300 KB as UTF-8 JSON`,
  });

/** Leaves the words of blacklists out of a translation. */
import type { Word } from '../../../shared/segments.ts';
import { listing } from '../../transcripts/segmentation/rules/apply-word-lists.ts';
import { wordsAndSeparator } from './divide-sentence.ts';

const FIRST_LETTER = /^(\P{L}*)(\p{L})/u;
const STARTS_UPPER = /^\P{L}*\p{Lu}/u;

/**
 * Takes whole words and phrases of the blacklist out of a sentence, but for those that are kept. The mark at its end stays, and
 * a sentence goes on beginning with a capital; nothing is left of one that has no other words.
 * @param kept words and phrases that stay in any case
 * @param language BCP 47 tag of the sentences
 */
export function withoutUnwanted(
  blacklist: readonly string[],
  kept: readonly string[],
  language: string,
): (sentence: string) => string {
  if (blacklist.length === 0) return (sentence) => sentence;
  const listed = listing({ blacklist, whitelist: kept, dictionary: {} });
  return (sentence) => {
    const { words, separator } = wordsAndSeparator(sentence, language);
    const left = listed(words.map(placed));
    const count = left.reduce((sum, { start_ms, end_ms }) => sum + end_ms - start_ms, 0);
    if (count === words.length) return sentence;
    const text = left
      .map(({ text, start_ms, end_ms }) =>
        separator === '' && end_ms > start_ms + 1 ? words.slice(start_ms, end_ms).join('') : text,
      )
      .join(separator);
    const isCapital = STARTS_UPPER.test(sentence);
    return isCapital
      ? text.replace(FIRST_LETTER, (_, before, letter) => before + letter.toUpperCase())
      : text;
  };
}

/** A word that nobody said yet: for times it has its place, so that it shows where several were taken as one. */
const placed = (text: string, at: number): Word => ({
  ...{ text, start_ms: at, end_ms: at + 1 },
  confidence: Number.NaN,
});

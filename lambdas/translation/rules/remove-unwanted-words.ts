/** Removes the words of blacklists from a translation. */
import type { Word } from '../../../shared/segments.ts';
import { compileWordLists } from '../../transcripts/segmentation/rules/apply-word-lists.ts';
import { wordsAndSeparator } from './divide-sentence.ts';

const FIRST_LETTER = /^(\P{L}*)(\p{L})/u;
const STARTS_UPPER = /^\P{L}*\p{Lu}/u;

/**
 * Removes whole words and phrases of the blacklist from a sentence, except protected ones. The mark at the end stays. A
 * capital letter at the beginning moves to the next word. A sentence with only blacklisted words becomes empty.
 * @param kept words and phrases that always stay
 * @param language BCP 47 tag of the sentences
 */
export function withoutUnwanted(
  blacklist: readonly string[],
  kept: readonly string[],
  language: string,
): (sentence: string) => string {
  if (blacklist.length === 0) return (sentence) => sentence;
  const listed = compileWordLists({ blacklist, whitelist: kept, dictionary: {} });
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

/** Makes words whose times are their positions. Later, the positions show which words were joined. */
const placed = (text: string, at: number): Word => ({
  ...{ text, start_ms: at, end_ms: at + 1 },
  confidence: Number.NaN,
});

/** Writes what was heard as people read it: capitals where they are certain, and the mark that ends a sentence. */

import { needsSpace } from '../../../subtitles/rules/script.ts';
import { ambiguousMonths, beforeMonths, capitalAbbreviations, properNames, titles } from './english.ts';

/** What the neighbourhood of some words tells about how they are written. */
export type Writing = {
  /** Whether the words are English, written by the engine without any capital. */
  english: boolean;
  /** Whether a sentence begins with them, of which the engine did not write the capital. */
  opens: boolean;
  /** What ends them beyond what the engine wrote. */
  closing: '' | '.' | '?';
};

/** The text of words, as heard or as lists write them, but for the case of letters and the mark at its end. */
export function textOf(
  words: readonly { text: string; written?: string }[],
  { english, opens, closing }: Writing,
): string {
  let text = '';
  let previous = '';
  for (const word of words) {
    const shown = word.written ?? (english ? withCapital(word.text, previous) : word.text);
    text += needsSpace(previous, word.text) ? ` ${shown}` : shown;
    previous = word.text;
  }
  const isListed = words[0]?.written !== undefined;
  return (opens && !isListed ? capitalised(text) : text) + closing;
}

function withCapital(word: string, previous: string): string {
  if (/^i(?:$|['’])/.test(word)) return `I${word.slice(1)}`;
  if (capitalAbbreviations.has(word)) return word.toUpperCase();
  const stem = word.replace(/['’]s$/, '');
  const isName =
    properNames.has(stem) ||
    titles.has(previous) ||
    (ambiguousMonths.has(stem) && beforeMonths.has(previous));
  return isName ? capitalised(word) : word;
}

// The scripts in which sentences begin with a capital. (Georgian has capitals, but not for that.)
const FIRST_LETTER = /^[^\p{L}\p{N}]*(?=\p{Ll})[\p{sc=Latin}\p{sc=Greek}\p{sc=Cyrillic}\p{sc=Armenian}]/u;

function capitalised(text: string): string {
  return text.replace(FIRST_LETTER, (opening) => {
    const capital = opening.toUpperCase();
    // A few letters have no capital of their own (ß, ŉ, ẖ): they would become several.
    return capital.length === opening.length ? capital : opening;
  });
}

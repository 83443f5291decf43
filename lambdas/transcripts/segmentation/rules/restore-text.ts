/** Writes heard words as readable text, with certain capital letters and a mark at the end of the sentence. */
import { needsSpace } from '../../../subtitles/rules/script.ts';
import { ambiguousMonths, beforeMonths, capitalAbbreviations, properNames, titles } from './english.ts';

export type Writing = {
  english: boolean;
  /** Whether the words begin a sentence, and the engine did not write its capital letter. */
  opens: boolean;
  closing: '' | '.' | '?';
};

/** The text of words: as heard, or as word lists spell them. Changes only the case, and adds the mark at the end. */
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

// The scripts in which sentences begin with a capital letter. Georgian is missing: it has capital letters, but not at
// the start of sentences.
const FIRST_LETTER = /^[^\p{L}\p{N}]*(?=\p{Ll})[\p{sc=Latin}\p{sc=Greek}\p{sc=Cyrillic}\p{sc=Armenian}]/u;

function capitalised(text: string): string {
  return text.replace(FIRST_LETTER, (opening) => {
    const capital = opening.toUpperCase();
    // A few letters (ß, ŉ, ẖ) become several letters in upper case. These letters stay in lower case.
    return capital.length === opening.length ? capital : opening;
  });
}

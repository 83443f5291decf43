/**
 * Applies word lists to heard words. Removes blacklisted words, writes other words as a list spells them, and expands
 * terms.
 */
import { defined, itemAt } from '../../../../shared/checked-access.ts';
import type { Word } from '../../../../shared/segments.ts';
import { isUnspaced } from '../../../subtitles/rules/script.ts';
import { Phrases } from './phrase-index.ts';

export interface WordLists {
  /** Words and phrases to remove, in the spoken language. */
  readonly blacklist: readonly string[];
  /** Words and phrases that always stay, written as in this list. */
  readonly whitelist: readonly string[];
  /** The expansions of terms. The text has the first expansion instead of the term. */
  readonly dictionary: Readonly<Record<string, readonly string[]>>;
}

/** A heard word. `written` is its text, if a list changed the text. */
export type ListedWord = Word & {
  written?: string;
  /** Duration of the removed speech before this word, ms. This time has no words, but it does not count as a pause. */
  left_out_ms?: number;
};

/** The pause between a word and the next one, ms. Removed speech does not count. */
export const pauseBetween = (word: ListedWord, next: ListedWord): number =>
  next.start_ms - word.end_ms - (next.left_out_ms ?? 0);

/**
 * Removes the words of the blacklist. Spells the words of the whitelist and the terms of the dictionary as in the
 * lists. Compares whole words and phrases, and ignores case, accents and punctuation. The longest entry wins. Entries
 * of the whitelist are neither removed nor expanded. If a removed word ended a sentence, the word before it gets the
 * punctuation mark.
 */
export const withWordLists = (words: readonly Word[], lists: WordLists): ListedWord[] =>
  compileWordLists(lists)(words);

/** Does the same for many texts. The lists are indexed only once. */
export function compileWordLists(lists: WordLists): (words: readonly Word[]) => ListedWord[] {
  const entriesOf = (texts: readonly string[]) => texts.map((text) => [text, text] as const);
  const spelt = Object.entries(lists.dictionary).map(([term, [first = term]]) => [term, first] as const);
  const whitelist = indexOf(entriesOf(lists.whitelist));
  const blacklist = indexOf(entriesOf(lists.blacklist));
  const dictionary = indexOf(spelt);

  return (words) => {
    const tokens = words.flatMap(({ text }, word) => tokensOf(text).map((token) => ({ token, word })));
    const written = new Map<number, Found>();
    const isFree = ({ first, last }: Found) => range(first, last).every((word) => !written.has(word));
    const write = (found: Found) => {
      for (const word of range(found.first, found.last)) written.set(word, found);
    };
    for (const found of findAll(tokens, whitelist)) write(found);
    const dropped = new Set(
      findAll(tokens, blacklist)
        .filter(isFree)
        .flatMap(({ first, last }) => range(first, last)),
    );
    for (const found of findAll(tokens, dictionary)) {
      const isThere = range(found.first, found.last).every((word) => !dropped.has(word));
      if (isThere && isFree(found)) write(found);
    }
    return writeWords(words, dropped, written);
  };
}

/** The words of a text without case and accents. In scripts without spaces, the characters of the text. */
function tokensOf(text: string): string[] {
  const parts = folded(text).match(/[\p{L}\p{N}\p{M}]+(?:'[\p{L}\p{N}\p{M}]+)*/gu) ?? [];
  return parts.flatMap((part) => (isUnspaced(part) ? [...part] : [part]));
}

// Combining diacritical marks, Hebrew points and Arabic vowel signs. In other scripts, words with different marks are
// different words.
const ACCENTS =
  /[\u0300-\u036f]|[\u0591-\u05c7]|[\u0610-\u061a]|[\u064b-\u065f]|\u0670|[\u1ab0-\u1aff]|[\u1dc0-\u1dff]/g;

/** Converts to upper case first, so that ß equals ss (Unicode §3.13, default caseless matching after NFKD). */
const folded = (text: string) =>
  text.replaceAll('’', "'").normalize('NFKD').replace(ACCENTS, '').toUpperCase().toLowerCase();

interface Found {
  readonly first: number;
  readonly last: number;
  readonly text: string;
}

interface Token {
  readonly token: string;
  readonly word: number;
}

/** Indexes entries by their words. The value of an entry is the text to write. */
function indexOf(entries: readonly (readonly [string, string])[]): Phrases<string> {
  const index = new Phrases<string>();
  for (const [entry, text] of entries) index.add(tokensOf(entry), text);
  return index;
}

/**
 * Finds entries that begin and end at word boundaries. Searches from the first word, and takes the longest entry.
 * Entries do not overlap.
 */
function findAll(tokens: readonly Token[], index: Phrases<string>): Found[] {
  const found: Found[] = [];
  for (let at = 0; at < tokens.length; at++) {
    const { word: first } = itemAt(tokens, at);
    if (tokens[at - 1]?.word === first) continue;
    const entry = index
      .standing((offset) => tokens[at + offset]?.token)
      .findLast(({ length }) => itemAt(tokens, at + length - 1).word !== tokens[at + length]?.word);
    if (entry === undefined) continue;
    const last = itemAt(tokens, at + entry.length - 1).word;
    found.push({ first, last, text: itemAt(entry.values, 0) });
    at += entry.length - 1;
  }
  return found;
}

const OPENING = /^[^\p{L}\p{N}\p{M}]*/u;
const CLOSING = /[^\p{L}\p{N}\p{M}]*$/u;
const SENTENCE_END = /[.!?…。！？]/u;

function writeWords(
  words: readonly Word[],
  dropped: ReadonlySet<number>,
  written: ReadonlyMap<number, Found>,
): ListedWord[] {
  const all: ListedWord[] = [];
  words.forEach((heard, at) => {
    const word = withLeftOut(heard, words, at, dropped);
    const entry = written.get(at);
    if (dropped.has(at)) endSentence(all, word);
    else if (entry === undefined) all.push(word);
    else if (entry.first === at) {
      const last = itemAt(words, entry.last);
      const text = defined(OPENING.exec(word.text))[0] + entry.text + defined(CLOSING.exec(last.text))[0];
      const heard = range(entry.first, entry.last).map((part) => itemAt(words, part).text);
      all.push({ ...word, text: heard.join(' '), end_ms: last.end_ms, written: text });
    }
  });
  return all;
}

/** Records the removed speech before a word. The longest pause next to the removed speech stays a pause. */
function withLeftOut(
  word: Word,
  words: readonly Word[],
  at: number,
  dropped: ReadonlySet<number>,
): ListedWord {
  if (dropped.has(at) || !dropped.has(at - 1)) return word;
  let first = at;
  while (dropped.has(first - 1)) first--;
  if (first === 0) return word;
  const pauseAt = (place: number) => itemAt(words, place).start_ms - itemAt(words, place - 1).end_ms;
  const longest_ms = range(first, at).reduce((longest, place) => Math.max(longest, pauseAt(place)), 0);
  const silent_ms = word.start_ms - itemAt(words, first - 1).end_ms;
  const left_out_ms = silent_ms - longest_ms;
  return left_out_ms > 0 ? { ...word, left_out_ms } : word;
}

/** Moves the punctuation mark of a removed word to the word before it, if the same speaker says both words. */
function endSentence(before: ListedWord[], { text, speaker }: Word): void {
  const mark = defined(CLOSING.exec(text))[0];
  const last = before.at(-1);
  if (!last || last.speaker !== speaker || !SENTENCE_END.test(mark) || SENTENCE_END.test(last.text)) return;
  const ended = (shown: string) => shown.replace(CLOSING, '') + mark;
  const { written } = last;
  before[before.length - 1] = {
    ...last,
    text: ended(last.text),
    ...(written !== undefined && { written: ended(written) }),
  };
}

const range = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, i) => first + i);

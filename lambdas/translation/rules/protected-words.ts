/** Finds the parts of a text that a translation must not change: listed names and terms, numbers, and addresses. */
import type { Span } from '../../../engines/translation/mask-text.ts';
import type { Fixed } from '../../../engines/translation/translate-with-masks.ts';
import {
  untranslatableSpans,
  withoutTrailingMarks,
} from '../../../engines/translation/untranslatable-spans.ts';
import { defined, itemAt } from '../../../shared/checked-access.ts';
import { Phrases } from '../../transcripts/segmentation/rules/phrase-index.ts';

export type FindKept = (text: string) => Span[];

const TOKEN = /\S+/gu;
const LEADING = /^[("'“‘«¿¡[]+/u;
/** The English possessive ending, which is not part of a name. */
const POSSESSIVE = /['’]s$/u;
const NUMBER = /\p{N}+(?:[.,:]\p{N}+)*/gu;
/** Words with fewer letters match only in the same case: "IT" is not "it". */
const LEAST_LETTERS_OF_ANY_CASE = 4;

/** @param words names and terms of one or more words */
export function keptIn(words: readonly string[]): FindKept {
  const phrases = new Phrases<string>();
  for (const word of words) {
    const parts = word
      .trim()
      .split(/\s+/u)
      .map((part) => partOf(part, 0).text);
    if (parts.every((part) => part === '')) continue;
    phrases.add(
      parts.map((part) => part.toLowerCase()),
      parts.join(' '),
    );
  }

  return (text) => {
    const tokens = [...text.matchAll(TOKEN)];
    // The first reading keeps the ending of "McDonald's". The second removes the possessive ending of "Kinora's".
    const readings = [partOf, coreOf].map((read) => tokens.map(({ 0: token, index }) => read(token, index)));
    const spans: Span[] = [];
    for (let at = 0; at < tokens.length; ) {
      const [one, other] = readings.map((words) => ({ words, length: longestAt(phrases, words, at) }));
      const { words, length } = defined(other).length > defined(one).length ? defined(other) : defined(one);
      if (length > 0) spans.push({ start: itemAt(words, at).start, end: itemAt(words, at + length - 1).end });
      at += Math.max(length, 1);
    }
    return spans;
  };
}

/** The number of words in the longest phrase at a position, such as "New York Times"; 0 if none begins there. */
function longestAt(phrases: Phrases<string>, words: readonly Word[], at: number): number {
  const textOf = (length: number) =>
    words
      .slice(at, at + length)
      .map(({ text }) => text)
      .join(' ');
  const found = phrases
    .standing((offset) => words[at + offset]?.lower)
    .findLast(({ length, values }) => values.some((written) => isMeant(written, textOf(length))));
  return found?.length ?? 0;
}

/** Whether a found text matches a listed word. Short words must have the same case. */
const isMeant = (written: string, found: string): boolean =>
  written.length >= LEAST_LETTERS_OF_ANY_CASE || written === found;

/** How to translate sentences without losing protected parts. */
export const keeping = (names: FindKept): Fixed => {
  const spans = (text: string) => merged([...untranslatableSpans(text), ...names(text)]);
  return {
    spans,
    apart: (text) => merged([...spans(text), ...numberSpans(text)]),
    isWhole: hasNumbersOf,
  };
};

/** Whether a translation has all numbers of the sentence, as often. Marks that group digits depend on the language. */
function hasNumbersOf(sentence: string, translation: string): boolean {
  const found = numbersIn(translation);
  return numbersIn(sentence).every((number) => {
    const at = found.indexOf(number);
    if (at >= 0) found.splice(at, 1);
    return at >= 0;
  });
}

const numbersIn = (text: string): string[] =>
  [...text.matchAll(NUMBER)].map(([number]) => number.normalize('NFKC').replace(/[.,:]/g, ''));

const numberSpans = (text: string): Span[] =>
  [...text.matchAll(NUMBER)].map(({ 0: number, index }) => ({ start: index, end: index + number.length }));

/** The spans in order. Overlapping spans are joined. */
function merged(spans: readonly Span[]): Span[] {
  const all: Span[] = [];
  for (const span of spans.toSorted((one, other) => one.start - other.start)) {
    const before = all.at(-1);
    if (before === undefined || span.start >= before.end) all.push(span);
    else all[all.length - 1] = { start: before.start, end: Math.max(before.end, span.end) };
  }
  return all;
}

interface Word extends Span {
  readonly text: string;
  readonly lower: string;
}

function partOf(token: string, index: number): Word {
  const start = LEADING.exec(token)?.[0].length ?? 0;
  return wordAt(index + start, withoutTrailingMarks(token.slice(start)));
}

function coreOf(token: string, index: number): Word {
  const { start, text } = partOf(token, index);
  return wordAt(start, text.replace(POSSESSIVE, ''));
}

const wordAt = (start: number, text: string): Word => ({
  start,
  end: start + text.length,
  text,
  lower: text.toLowerCase(),
});

/** What a translation keeps as it is: names and terms that the tenant listed, numbers, and what is no language. */

import type { Keeping } from '../../../engines/translation/keeping.ts';
import type { Span } from '../../../engines/translation/masks.ts';
import { opaqueSpans, withoutMarksBehind } from '../../../engines/translation/opaque.ts';
import { Phrases } from '../../transcripts/rules/phrases.ts';

/** Of a text, where it has any of the words. */
export type FindKept = (text: string) => Span[];

const TOKEN = /\S+/gu;
const LEADING = /^[("'“‘«¿¡[]+/u;
/** The possessive of English is no part of a name. */
const POSSESSIVE = /['’]s$/u;
const NUMBER = /\p{N}+(?:[.,:]\p{N}+)*/gu;
/** Shorter ones are meant as they are written: "IT" is not "it". */
const LEAST_LETTERS_OF_ANY_CASE = 4;

/** @param words names and terms, of one word or several */
export function keptIn(words: readonly string[]): FindKept {
  const phrases = new Phrases<string>();
  for (const word of words) {
    const parts = word.trim().split(/\s+/u);
    phrases.add(
      parts.map((part) => part.toLowerCase()),
      parts.join(' '),
    );
  }

  return (text) => {
    const tokens = [...text.matchAll(TOKEN)].map(({ 0: token, index }) => coreOf(token, index));
    const lower = tokens.map((token) => token.text.toLowerCase());
    const textOf = (at: number, length: number) =>
      tokens
        .slice(at, at + length)
        .map((token) => token.text)
        .join(' ');
    const spans: Span[] = [];
    for (let at = 0; at < tokens.length; ) {
      // The longest counts: "New York Times" before "New York".
      const found = phrases
        .standing((offset) => lower[at + offset])
        .findLast(({ length, values }) => values.some((written) => isMeant(written, textOf(at, length))));
      if (found !== undefined) {
        spans.push({ start: tokens[at]!.start, end: tokens[at + found.length - 1]!.end });
      }
      at += found?.length ?? 1;
    }
    return spans;
  };
}

/** Of two that are alike but for case. */
const isMeant = (written: string, found: string): boolean =>
  written.length >= LEAST_LETTERS_OF_ANY_CASE || written === found;

/** How sentences are translated so that nothing of the kind is lost. */
export const keeping = (names: FindKept): Keeping => {
  const spans = (text: string) => merged([...opaqueSpans(text), ...names(text)]);
  return {
    spans,
    apart: (text) => merged([...spans(text), ...numberSpans(text)]),
    isWhole: hasNumbersOf,
  };
};

/** Whether all numbers are there, as often as in the original; how they are grouped is a matter of the language. */
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

/** In order, those joined that overlap. */
function merged(spans: readonly Span[]): Span[] {
  const all: Span[] = [];
  for (const span of spans.toSorted((one, other) => one.start - other.start)) {
    const before = all.at(-1);
    if (before === undefined || span.start >= before.end) all.push(span);
    else all[all.length - 1] = { start: before.start, end: Math.max(before.end, span.end) };
  }
  return all;
}

function coreOf(token: string, index: number): Span & { text: string } {
  const start = LEADING.exec(token)?.[0].length ?? 0;
  const text = withoutMarksBehind(token.slice(start)).replace(POSSESSIVE, '');
  return { start: index + start, end: index + start + text.length, text };
}

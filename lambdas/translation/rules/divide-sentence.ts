/** Divides a translated sentence into one text for each segment of its original. */
import { itemAt } from '../../../shared/checked-access.ts';
import { isUnspaced } from '../../subtitles/rules/script.ts';

/** A cut after punctuation is preferred, even if it is farther from the wanted place by this share of the sentence. */
const WORTH_OF_MARK = 0.08;
const MARK = /[,;:—–、，；：]["'”’)]*$/u;

/**
 * Divides a sentence into one text for each weight, in order. Cuts are between words, and preferably after a comma. The
 * length of each text is as near to its share as possible. A text is empty only if there are fewer words than weights.
 * @param weights lengths of the parts of the original
 * @param unbreakable texts that are not cut, such as names of several words
 * @param language BCP 47 tag of the sentence
 */
export function divideSentence(
  sentence: string,
  weights: readonly number[],
  unbreakable: readonly string[],
  language: string,
): string[] {
  if (weights.length === 1) return [sentence];
  const { words, separator } = wordsAndSeparator(sentence, language, unbreakable);
  const ends = shares(words.map(({ length }) => length + separator.length));
  const wanted = shares(weights.map((weight) => Math.max(1, weight)));
  const parts = weights.length;
  let from = 0;
  return weights.map((_, part) => {
    const isLast = part === parts - 1;
    // If there are enough words, each part keeps at least one.
    const least = words.length >= parts ? from + 1 : from;
    const most = words.length >= parts ? words.length - (parts - 1 - part) : words.length;
    const to = isLast ? words.length : nearest(words, ends, { wanted: itemAt(wanted, part), least, most });
    const text = words.slice(from, to).join(separator);
    from = to;
    return text;
  });
}

export function wordsAndSeparator(
  sentence: string,
  language: string,
  unbreakable: readonly string[] = [],
): { words: string[]; separator: '' | ' ' } {
  return isUnspaced(sentence)
    ? { words: wordsWithoutSpaces(sentence, language), separator: '' }
    : { words: spacedWords(sentence, unbreakable), separator: ' ' };
}

/** The number of words before the cut. */
function nearest(
  words: readonly string[],
  ends: readonly number[],
  { wanted, least, most }: { readonly wanted: number; readonly least: number; readonly most: number },
): number {
  let best = least;
  let bestCost = Number.POSITIVE_INFINITY;
  for (let count = least; count <= most; count += 1) {
    const off = Math.abs((ends[count - 1] ?? 0) - wanted);
    const cost = off - (MARK.test(words[count - 1] ?? '') ? WORTH_OF_MARK : 0);
    if (cost < bestCost) [best, bestCost] = [count, cost];
  }
  return best;
}

/** The end of each part, as a share of the sum of all lengths, 0 to 1. */
function shares(lengths: readonly number[]): number[] {
  const total = lengths.reduce((sum, length) => sum + length, 0);
  let sum = 0;
  return lengths.map((length) => {
    sum += length;
    return sum / total;
  });
}

function spacedWords(sentence: string, unbreakable: readonly string[]): string[] {
  const whole = new Set(unbreakable.filter((text) => text.includes(' ')));
  const inside = new Set<number>();
  for (const text of whole) {
    for (let found = sentence.indexOf(text); found >= 0; found = sentence.indexOf(text, found + 1))
      for (let at = found + 1; at < found + text.length; at += 1) inside.add(at);
  }
  const words: string[] = [];
  let from = 0;
  for (const { index } of sentence.matchAll(/\s+/gu)) {
    if (inside.has(index)) continue;
    words.push(sentence.slice(from, index).trim());
    from = index;
  }
  words.push(sentence.slice(from).trim());
  return words.filter((word) => word !== '');
}

/** Splits a text without spaces into words. Punctuation belongs to the word before it. */
function wordsWithoutSpaces(sentence: string, language: string): string[] {
  const words: string[] = [];
  for (const { segment, isWordLike } of new Intl.Segmenter(language, { granularity: 'word' }).segment(
    sentence,
  )) {
    if (isWordLike || words.length === 0) words.push(segment);
    else words[words.length - 1] += segment;
  }
  return words;
}

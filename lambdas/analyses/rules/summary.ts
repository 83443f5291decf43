/** A title and a summary that are sentences of the text itself: chosen, never written, so that nothing in them is invented. */
import type { Sentence } from './sentences.ts';

const SUMMARY_SENTENCES = 3;
const MOST_CHARACTERS = 480;
/** Content words that a sentence of a summary has; others are greetings, or lists. */
const LEAST_WORDS = 4;
const MOST_WORDS = 22;
const TITLE_CHARACTERS = 90;

/** Null where no sentence says enough. Sentences in their order. */
export function summaryOf(sentences: readonly Sentence[]): string | null {
  const scored = scoresOf(sentences).filter(({ sentence: { words } }) => fits(words.length));
  const chosen: typeof scored = [];
  let length = 0;
  for (const one of scored) {
    const isAgain = chosen.some(({ sentence }) => overlap(sentence, one.sentence) > 0.5);
    const isTooLong = length + one.sentence.text.length > MOST_CHARACTERS;
    if (isAgain || isTooLong) continue;
    chosen.push(one);
    length += one.sentence.text.length + 1;
    if (chosen.length === SUMMARY_SENTENCES) break;
  }
  if (chosen.length === 0) return null;
  return chosen
    .toSorted((one, other) => one.at - other.at)
    .map(({ sentence }) => ended(sentence.text))
    .join(' ');
}

/** The most telling sentence that is short enough; else the most relevant phrase; null where there is neither. */
export function titleOf(
  sentences: readonly Sentence[],
  phrases: readonly { readonly text: string }[],
): string | null {
  const short = scoresOf(sentences).find(
    ({ sentence: { text, words } }) => text.length <= TITLE_CHARACTERS && words.length >= 3,
  );
  const found = short?.sentence.text ?? phrases[0]?.text ?? null;
  return found === null ? null : capital(found.replace(/[.,;:…]+$/u, '')).slice(0, TITLE_CHARACTERS);
}

const fits = (words: number) => words >= LEAST_WORDS && words <= MOST_WORDS;

/**
 * How much of what the whole text speaks of a sentence has (Luhn 1958; Radev et al. 2004, "centroid"): a word counts as often
 * as it is said, by the root, so that neither one word nor the length of the sentence decides. The most telling first.
 */
function scoresOf(sentences: readonly Sentence[]): { sentence: Sentence; at: number; score: number }[] {
  const counts = new Map<string, number>();
  for (const word of sentences.flatMap(({ words }) => words)) counts.set(word, (counts.get(word) ?? 0) + 1);
  return sentences
    .map((sentence, at) => {
      const distinct = [...new Set(sentence.words)];
      const weight = distinct.reduce((sum, word) => sum + Math.sqrt(counts.get(word)! - 0.9), 0);
      // What opens a text says more often what it is about.
      const first = at < 2 ? 1.15 : 1;
      return { sentence, at, score: (first * weight) / Math.sqrt(Math.max(LEAST_WORDS, distinct.length)) };
    })
    .sort((one, other) => other.score - one.score || one.at - other.at);
}

function overlap(one: Sentence, other: Sentence): number {
  const words = new Set(one.words);
  const shared = other.words.filter((word) => words.has(word)).length;
  return shared / Math.max(1, Math.min(one.words.length, other.words.length));
}

const ended = (text: string) =>
  capital(/[.!?…。！？]["'”’»)\]]*$/u.test(text) ? text : `${text.replace(/[,;:]+$/, '')}.`);

export const capital = (text: string) => text.replace(/^\P{L}*\p{Ll}/u, (first) => first.toUpperCase());

/** Selects a title and a summary from the sentences of the text. It writes no text of its own, so it invents nothing. */
import { defined } from '../../../shared/checked-access.ts';
import type { Sentence } from './sentences.ts';

const SUMMARY_SENTENCES = 3;
const MOST_CHARACTERS = 480;
/** The minimum number of content words of a sentence in a summary. Shorter sentences are greetings. */
const LEAST_WORDS = 4;
/** The maximum number of content words of a sentence in a summary. Longer sentences are lists. */
const MOST_WORDS = 22;
const TITLE_CHARACTERS = 90;

/** The best sentences, in the order of the text. Null if none qualifies. */
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

/** The best sentence that is short enough, otherwise the most relevant phrase, otherwise null. */
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
 * Scores sentences by the words they share with the whole text (Luhn 1958; Radev et al. 2004, "centroid"), the
 * best first. The weight of a word is the square root of its count, so that neither one word nor the length of
 * the sentence decides.
 */
function scoresOf(sentences: readonly Sentence[]): { sentence: Sentence; at: number; score: number }[] {
  const counts = new Map<string, number>();
  for (const word of sentences.flatMap(({ words }) => words)) counts.set(word, (counts.get(word) ?? 0) + 1);
  return sentences
    .map((sentence, at) => {
      const distinct = [...new Set(sentence.words)];
      const weight = distinct.reduce((sum, word) => sum + Math.sqrt(defined(counts.get(word)) - 0.9), 0);
      // The first sentences of a text often name its topic.
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

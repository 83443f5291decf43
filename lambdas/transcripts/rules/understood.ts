/** Which utterances were speech after all, by the words that a recogniser found in them. */
import type { Word } from '../../../platform/shared/segments.ts';
import { firstEndingAfter, type Interval } from '../../../platform/shared/sound.ts';

/** Shorter ones hold a word or two, which say nothing. */
const LEAST_MS = 4_000;
/** People say more words a second, also in noise … */
const LEAST_WORDS_PER_S = 1.6;
/** … or slowly, but then clearly: the sum of the confidences a second. */
const LEAST_SURE_PER_S = 0.6;

/**
 * The words but for those of utterances that are long, and in which few words were found and none of them surely: that is music
 * or noise that sounded like speech. Measured in docs/decisions/0033-words-that-can-be-trusted.md.
 * @param utterances in order, apart
 */
export function understood(words: readonly Word[], utterances: readonly Interval[]): Word[] {
  const found = new Map<number, { words: number; sure: number }>();
  const utteranceOf = ({ start_ms }: Word) => firstEndingAfter(utterances, start_ms);
  for (const word of words) {
    const at = utteranceOf(word);
    const { words: count, sure } = found.get(at) ?? { words: 0, sure: 0 };
    found.set(at, { words: count + 1, sure: sure + word.confidence });
  }
  return words.filter((word) => {
    const at = utteranceOf(word);
    const utterance = utterances[at];
    return utterance === undefined || isSpeech(utterance, found.get(at)!);
  });
}

function isSpeech({ start_ms, end_ms }: Interval, { words, sure }: { words: number; sure: number }): boolean {
  const length_ms = end_ms - start_ms;
  const isSlow = words * 1000 < LEAST_WORDS_PER_S * length_ms;
  // An engine that gives no confidence (NaN) is believed.
  const isUnsure = sure * 1000 < LEAST_SURE_PER_S * length_ms;
  return length_ms < LEAST_MS || !isSlow || !isUnsure;
}

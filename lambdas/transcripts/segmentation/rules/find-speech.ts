/** Decides which utterances are really speech. The evidence is the words that a recognizer found, and music nearby. */
import type { Word } from '../../../../shared/segments.ts';
import { firstEndingAfter, type Interval, type SoundMap } from '../../../../shared/sound.ts';

/** Utterances shorter than this are removed only beside music, because they have too few words to judge. */
const LEAST_MS = 4_000;
/** Speech has more words a second than this, even in a noisy place. */
const LEAST_WORDS_PER_S = 1.6;
/** Slow speech is recognized clearly: the sum of its confidences per second is at least this. */
const LEAST_SURE_PER_S = 0.6;
/** An utterance this near to music may be a part of the music, ms. */
const BESIDE_MS = 300;
/** The value of `LEAST_SURE_PER_S` beside music, where a single confident word is not enough evidence. */
const LEAST_SURE_BESIDE_PER_S = 1;

/**
 * Removes the words of utterances that were probably music or noise. Such utterances have few words, and these have low
 * confidence. They also are beside music, or last at least 4 s. Measured in docs/decisions/0033-word-filtering.md.
 */
export function understood(
  words: readonly Word[],
  { utterances, sounds }: Pick<SoundMap, 'utterances' | 'sounds'>,
): Word[] {
  const music = sounds.filter(({ kind }) => kind === 'music');
  const utteranceOf = ({ start_ms }: Word) => firstEndingAfter(utterances, start_ms);
  const byUtterance = Map.groupBy(words, utteranceOf);
  const isKept = utterances.map((utterance, at) => {
    return isSpeech(utterance, byUtterance.get(at) ?? [], isBeside(utterance, music));
  });
  return words.filter((word) => isKept[utteranceOf(word)] ?? true);
}

/** @param music in order, without overlap */
function isBeside({ start_ms, end_ms }: Interval, music: readonly Interval[]): boolean {
  const next = music[firstEndingAfter(music, start_ms - BESIDE_MS)];
  return next !== undefined && next.start_ms < end_ms + BESIDE_MS;
}

function isSpeech({ start_ms, end_ms }: Interval, words: readonly Word[], isBesideMusic: boolean): boolean {
  const length_ms = end_ms - start_ms;
  const sure = words.reduce((sum, { confidence }) => sum + confidence, 0);
  const isSlow = words.length * 1000 < LEAST_WORDS_PER_S * length_ms;
  // The words of an engine without confidences (NaN) are trusted.
  const least = isBesideMusic ? LEAST_SURE_BESIDE_PER_S : LEAST_SURE_PER_S;
  const isUnsure = sure * 1000 < least * length_ms;
  const isTold = isBesideMusic || length_ms >= LEAST_MS;
  return !(isTold && isSlow && isUnsure);
}

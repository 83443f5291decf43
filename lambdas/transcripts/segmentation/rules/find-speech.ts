/** Which utterances were speech after all, by the words that a recogniser found in them and by what is beside them. */
import type { Word } from '../../../../shared/segments.ts';
import { firstEndingAfter, type Interval, type SoundMap } from '../../../../shared/sound.ts';

/** Shorter ones hold a word or two, which say nothing. */
const LEAST_MS = 4_000;
/** People say more words a second, also in noise … */
const LEAST_WORDS_PER_S = 1.6;
/** … or slowly, but then clearly: the sum of the confidences a second. */
const LEAST_SURE_PER_S = 0.6;
/** An utterance so near to music may be part of it, milliseconds; a single word is sure there for want of another. */
const BESIDE_MS = 300;
const LEAST_SURE_BESIDE_PER_S = 1;

/**
 * The words but for those of utterances in which few words were found, and which are long and none of them surely, or beside
 * music: that is music or noise that sounded like speech. Measured in docs/decisions/0033-word-filtering.md.
 */
export function understood(
  words: readonly Word[],
  { utterances, sounds }: Pick<SoundMap, 'utterances' | 'sounds'>,
): Word[] {
  const music = sounds.filter(({ kind }) => kind === 'music');
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
    return utterance === undefined || isSpeech(utterance, found.get(at)!, isBeside(utterance, music));
  });
}

/** @param music in order, apart */
function isBeside({ start_ms, end_ms }: Interval, music: readonly Interval[]): boolean {
  const next = music[firstEndingAfter(music, start_ms - BESIDE_MS)];
  return next !== undefined && next.start_ms < end_ms + BESIDE_MS;
}

function isSpeech(
  { start_ms, end_ms }: Interval,
  { words, sure }: { words: number; sure: number },
  isBesideMusic: boolean,
): boolean {
  const length_ms = end_ms - start_ms;
  const isSlow = words * 1000 < LEAST_WORDS_PER_S * length_ms;
  // An engine that gives no confidence (NaN) is believed.
  const least = isBesideMusic ? LEAST_SURE_BESIDE_PER_S : LEAST_SURE_PER_S;
  const isUnsure = sure * 1000 < least * length_ms;
  const isTold = isBesideMusic || length_ms >= LEAST_MS;
  return !(isTold && isSlow && isUnsure);
}

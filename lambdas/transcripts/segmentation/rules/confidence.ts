import type { Word } from '../../../../shared/segments.ts';

/** The mean confidence of words, weighted by duration, with four decimals. Null if no word has a confidence. */
export function confidenceOf(words: readonly Word[]): number | null {
  const rated = words.filter(({ confidence }) => Number.isFinite(confidence));
  const duration = rated.reduce((sum, word) => sum + word.end_ms - word.start_ms, 0);
  if (duration === 0) return null;
  const weighted = rated.reduce((sum, word) => sum + word.confidence * (word.end_ms - word.start_ms), 0);
  return Math.round((weighted / duration) * 10_000) / 10_000;
}

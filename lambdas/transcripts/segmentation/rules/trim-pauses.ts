/** Trims words at pauses: no one speaks in a pause. */
import type { Word } from '../../../../shared/segments.ts';
import { firstEndingAfter, type Interval } from '../../../../shared/sound.ts';

/** The accuracy of the end of a pause, ms. A word that extends beyond the pause by less was not heard. */
const BLUR_MS = 30;

/**
 * Removes from words the time that lies in pauses. Recognizers often extend a word to the next word or back to the previous one,
 * across a pause. Words that lie entirely in a pause are left out.
 * @param pauses in order, without overlap
 */
export function withoutPauses(words: readonly Word[], pauses: readonly Interval[]): Word[] {
  return words.flatMap((word) => {
    let { start_ms, end_ms } = word;
    for (
      let at = firstEndingAfter(pauses, start_ms);
      at < pauses.length && pauses[at]!.start_ms < end_ms;
      at++
    ) {
      const pause = pauses[at]!;
      if (pause.start_ms <= start_ms + BLUR_MS) start_ms = Math.max(start_ms, pause.end_ms);
      else if (pause.end_ms >= end_ms - BLUR_MS) end_ms = pause.start_ms;
    }
    const isWhole = start_ms === word.start_ms && end_ms === word.end_ms;
    return isWhole || end_ms - start_ms >= BLUR_MS ? [{ ...word, start_ms, end_ms }] : [];
  });
}

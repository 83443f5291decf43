/** Trims words at pauses, because no one speaks in a pause. */
import { itemAt } from '../../../../shared/checked-access.ts';
import type { Word } from '../../../../shared/segments.ts';
import { firstEndingAfter, type Interval } from '../../../../shared/sound.ts';

/** The ends of a pause can be wrong by this much. A word with less time than this outside the pause was not spoken. */
const BLUR_MS = 30;

/**
 * Removes the pauses from the times of words. Recognizers often extend a word across a pause, to the next or the
 * previous word. A word that lies completely in a pause is removed.
 * @param pauses in order, without overlap
 */
export function withoutPauses(words: readonly Word[], pauses: readonly Interval[]): Word[] {
  return words.flatMap((word) => {
    let { start_ms, end_ms } = word;
    for (
      let at = firstEndingAfter(pauses, start_ms);
      at < pauses.length && itemAt(pauses, at).start_ms < end_ms;
      at++
    ) {
      const pause = itemAt(pauses, at);
      if (pause.start_ms <= start_ms + BLUR_MS) start_ms = Math.max(start_ms, pause.end_ms);
      else if (pause.end_ms >= end_ms - BLUR_MS) end_ms = pause.start_ms;
    }
    const isWhole = start_ms === word.start_ms && end_ms === word.end_ms;
    return isWhole || end_ms - start_ms >= BLUR_MS ? [{ ...word, start_ms, end_ms }] : [];
  });
}

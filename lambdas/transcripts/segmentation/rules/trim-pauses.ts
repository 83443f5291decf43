/** Words by what is heard: nobody speaks in a pause, so no word lies in one. */
import type { Word } from '../../../../shared/segments.ts';
import { firstEndingAfter, type Interval } from '../../../../shared/sound.ts';

/** Where a pause ends is known to within this; of a word that reaches no further out of it nothing was heard, milliseconds. */
const BLUR_MS = 30;

/**
 * The words without what of them lies in pauses. Recognisers let a word last until the next one begins, or begin where the one
 * before ends, though there was a pause between. Left out are words that lie in a pause as a whole.
 * @param pauses in order, apart
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

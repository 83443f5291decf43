/** What is heard when: found on the samples, before any engine is asked for words. */

/** A stretch of time, whole milliseconds from the start of the audio. */
export type Interval = { start_ms: number; end_ms: number };

export type SoundKind = 'speech' | 'music' | 'noise' | 'silence';

/** The sounds of an audio cover it in order, without gap or overlap. */
export type Sound = Interval & {
  kind: SoundKind;
  /** Root mean square, dB below full scale: 0 at most; -100 for digital silence. */
  level_db: number;
};

export type SoundEventKind = 'music' | 'applause' | 'noise' | 'silence';

/** What is heard for a while where nobody speaks. */
export type SoundEvent = Interval & {
  kind: SoundEventKind;
  /** 0 to 1; null where the engine gives none. */
  confidence: number | null;
};

/** A stretch of one voice. Voices are numbered from 1 in the order in which they are first heard. */
export type Turn = Interval & { voice: number };

export type SoundMap = {
  duration_ms: number;
  sounds: Sound[];
  /** Stretches of speech that are recognised in one go: in order, at most 12 s, cut in pauses, padded a little. */
  utterances: Interval[];
  /** Stretches of 150 ms or more within utterances in which nothing is heard, in order. */
  pauses: Interval[];
  /** Who speaks when, in order; empty where voices were not told apart. */
  turns: Turn[];
  /** In order and apart; absent where no engine looked for them. */
  events?: SoundEvent[];
};

/** The index of the first that ends after this moment, or their number where none does. @param intervals in order, apart */
export function firstEndingAfter(intervals: readonly Interval[], at_ms: number): number {
  let low = 0;
  let high = intervals.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (intervals[middle]!.end_ms <= at_ms) low = middle + 1;
    else high = middle;
  }
  return low;
}

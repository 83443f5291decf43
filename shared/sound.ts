/** Sounds and speech over time, found in the samples before any engine recognizes words. */

/** An interval, in whole milliseconds from the start of the audio. */
export type Interval = { start_ms: number; end_ms: number };

export type SoundKind = 'speech' | 'music' | 'noise' | 'silence';

/** Levels of the audio, in order, without gaps or overlaps. */
export type Sound = Interval & {
  kind: SoundKind;
  /** Root mean square, dB below full scale: 0 at most; -100 for digital silence. */
  level_db: number;
};

export type SoundEventKind = 'music' | 'applause' | 'noise' | 'silence';

/** A sound in a pause of the speech. */
export type SoundEvent = Interval & {
  kind: SoundEventKind;
  /** 0 to 1; null if the engine gives none. */
  confidence: number | null;
};

/** An interval of one voice. Voices are numbered from 1 in the order of their first words. */
export type Turn = Interval & { voice: number };

export type SoundMap = {
  duration_ms: number;
  sounds: Sound[];
  /** Intervals of speech that are recognized at once: in order, at most 12 s, cut in pauses, padded a little. */
  utterances: Interval[];
  /** Silences of 150 ms or more within utterances, in order. */
  pauses: Interval[];
  /** The voices over time, in order; empty if voices were not separated. */
  turns: Turn[];
  /** In order, without overlaps; absent if no engine looked for them. */
  events?: SoundEvent[];
};

/**
 * The index of the first interval that ends after this moment, or the number of intervals. @param intervals in order,
 * without overlaps
 */
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

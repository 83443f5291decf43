/** Sounds and speech over time, found in the samples before any engine recognizes words. */
import { firstIndexWhere } from './sorted.ts';

/** An interval, in whole milliseconds from the start of the audio. */
export type Interval = { start_ms: number; end_ms: number };

export type SoundKind = 'speech' | 'music' | 'noise' | 'silence';

export type Sound = Interval & {
  kind: SoundKind;
  /** Root mean square, dB below full scale: 0 at most; -100 for digital silence. */
  level_db: number;
};

export type SoundEventKind = 'music' | 'applause' | 'noise' | 'silence';

/** A sound in a pause of the speech. */
export type SoundEvent = Interval & {
  kind: SoundEventKind;
  /** 0 to 1; null if the engine returns no confidence. */
  confidence: number | null;
};

/** An interval of one voice. Voices are numbered from 1 in the order of their first words. */
export type Turn = Interval & { voice: number };

export type SoundMap = {
  duration_ms: number;
  sounds: Sound[];
  /** Intervals of speech, in order. Each has at most 12 s, is cut in pauses, and includes a short padding. */
  utterances: Interval[];
  /** Silences of 150 ms or more within utterances, in order. */
  pauses: Interval[];
  /** The voices over time, in order; empty if voices were not separated. */
  turns: Turn[];
  /** Sounds in pauses, in order, without overlaps. Absent if no engine looked for them. */
  events?: SoundEvent[];
};

/** The index of the first interval that ends after `at_ms`, or the length. The intervals are in order, without overlaps. */
export const firstEndingAfter = (intervals: readonly Interval[], at_ms: number): number =>
  firstIndexWhere(intervals, ({ end_ms }) => end_ms > at_ms);

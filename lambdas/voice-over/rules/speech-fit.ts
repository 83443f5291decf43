/**
 * Fits speech into the time of a segment. First it asks the engine for a faster rate, then it raises the tempo, then it
 * uses the silence before the next segment. The rest is reported as overflow (docs/decisions/0043).
 */
export interface Slot {
  readonly slot_ms: number;
  /** Silence after the slot that the speech may use: until the next segment, or the end of the media. */
  readonly room_ms: number;
}

export interface FitReport {
  /** The speaking rate. 1 is the normal rate of the voice. */
  readonly rate: number;
  /** The factor of the speed-up after synthesis. 1 means none. */
  readonly tempo: number;
  /** The duration of the speech, without silence around it. */
  readonly spoken_ms: number;
  /** The part of the silence after the slot that the speech uses. */
  readonly borrowed_ms: number;
  /** The part of the speech that exceeds the slot and the silence after it. The next piece waits for it (`placePiece`). */
  readonly overflow_ms: number;
  /** The time from the end of the slot to the end of the speech. */
  readonly drift_ms: number;
  /** The number of characters in all requests, as the engine counts them. */
  readonly characters: number;
}

/** The fastest rate that is requested from an engine. */
export const MOST_RATE = 1.5;
/** The largest speed-up after synthesis. Faster speech sounds hurried and loses consonants. */
export const MOST_TEMPO = 1.15;
export const MOST_ATTEMPTS = 3;
/** A speed-up below this is made only by the tempo: it is inaudible, and another synthesis costs more. */
const LIGHT_TEMPO = 1.04;
/** Engines speak slightly slower than requested, because they do not shorten some sounds. */
const MARGIN = 1.02;

/** The rate for the next request, after speech of `spoken_ms` at `rate`. Null if that speech is good enough. */
export function nextRate(spoken_ms: number, rate: number, { slot_ms }: Slot): number | null {
  const excess = spoken_ms / slot_ms;
  const isNear = excess <= (rate === 1 ? LIGHT_TEMPO : MOST_TEMPO);
  if (isNear || rate >= MOST_RATE) return null;
  return rounded(Math.min(MOST_RATE, rate * excess * MARGIN));
}

/** The speed-up with which the speech ends at the end of its slot, 1 to 1.15. */
export function tempoFor(spoken_ms: number, { slot_ms }: Slot): number {
  if (spoken_ms <= slot_ms) return 1;
  return Math.min(MOST_TEMPO, rounded(spoken_ms / Math.max(1, slot_ms - INEXACT_MS)));
}

/** After a speed-up, sound ends up to this many milliseconds early or late. */
const INEXACT_MS = 15;

export function fitSlot(
  spoken_ms: number,
  { slot_ms, room_ms }: Slot,
): Pick<FitReport, 'borrowed_ms' | 'overflow_ms' | 'drift_ms'> {
  const drift_ms = Math.max(0, spoken_ms - slot_ms);
  const borrowed_ms = Math.min(drift_ms, Math.max(0, room_ms));
  return { borrowed_ms, overflow_ms: drift_ms - borrowed_ms, drift_ms };
}

/** Rounds up, so that speech does not end later than computed. */
const rounded = (factor: number) => Math.ceil(factor * 1000) / 1000;

export interface Piece {
  readonly start_ms: number;
  /** The duration, including the silence that fills the slot. */
  readonly duration_ms: number;
  /** The duration without the silence that fills the slot. */
  readonly heard_ms: number;
  /** How much of the speech extends into the next slot. */
  readonly overflow_ms: number;
}

export interface Placed {
  readonly start_ms: number;
  /** The delay of the piece, because the previous piece was not finished. */
  readonly late_ms: number;
  /** How much of the previous piece is faded out, because this piece would otherwise wait too long. */
  readonly cut_before_ms: number;
}

/** The longest delay. With a longer delay, viewers notice that picture and sound differ. */
export const MOST_LATE_MS = 1500;

/**
 * The start of a piece after the previous one. The piece waits until the overflow of the previous piece ends. If the
 * slots of the two pieces overlap, because two people talk at once, the pieces overlap too.
 */
export function placePiece(
  piece: Pick<Piece, 'start_ms'>,
  before: (Piece & { at_ms: number }) | null,
): Placed {
  if (before === null) return { start_ms: piece.start_ms, late_ms: 0, cut_before_ms: 0 };
  const ends_ms = before.at_ms + before.heard_ms;
  const own_end_ms = before.start_ms + before.duration_ms - before.overflow_ms;
  const waiting_ms = Math.max(0, Math.min(ends_ms - piece.start_ms, ends_ms - own_end_ms));
  const late_ms = Math.min(MOST_LATE_MS, waiting_ms);
  return { start_ms: piece.start_ms + late_ms, late_ms, cut_before_ms: waiting_ms - late_ms };
}

/**
 * How speech is fitted into the time of a segment: by speaking faster, then by tempo, then by silence before the next
 * segment. What is left over is told (docs/decisions/0043).
 */

export interface Slot {
  /** How long the segment is. */
  readonly slot_ms: number;
  /** Silence behind it that may be borrowed: up to the next segment, or to the end of the media. */
  readonly room_ms: number;
}

export interface FitReport {
  /** How fast it was spoken: 1 is the voice's own rate. */
  readonly rate: number;
  /** By how much it was sped up afterwards: 1 is not at all. */
  readonly tempo: number;
  /** How long the speech is, without silence around it. */
  readonly spoken_ms: number;
  /** How much of the silence behind the slot it takes. */
  readonly borrowed_ms: number;
  /** What exceeds slot and room. Nothing of it is cut: the next piece waits for it (`placed`). */
  readonly overflow_ms: number;
  /** By how much it ends after its slot does. */
  readonly drift_ms: number;
  /** As the engine counts them, for all times that it was asked. */
  readonly characters: number;
}

/** An engine is asked to speak at most so much faster, … */
export const MOST_RATE = 1.5;
/** … and what it then says is sped up by at most this: beyond, it sounds hurried and loses consonants. */
export const MOST_TEMPO = 1.15;
/** Whatever ends within that of its slot is in time. */
export const TOLERANCE_MS = 50;
/** As often is an engine asked for one piece. */
export const MOST_ATTEMPTS = 3;
/** So little is done by tempo alone: nobody hears it, and another synthesis costs more. */
const LIGHT_TEMPO = 1.04;
/** Engines speak a little slower than they are asked to: some sounds are not shortened. */
const MARGIN = 1.02;

/**
 * At which rate the engine should be asked to speak next; null where what it said will do.
 * @param spoken_ms how long it took at `rate`
 */
export function nextRate(spoken_ms: number, rate: number, { slot_ms }: Slot): number | null {
  const excess = spoken_ms / slot_ms;
  const isNear = excess <= (rate === 1 ? LIGHT_TEMPO : MOST_TEMPO);
  if (isNear || rate >= MOST_RATE) return null;
  return rounded(Math.min(MOST_RATE, rate * excess * MARGIN));
}

/** By how much the speech is sped up to end with its slot, 1 to 1.15. */
export function tempoFor(spoken_ms: number, { slot_ms }: Slot): number {
  if (spoken_ms <= slot_ms) return 1;
  return Math.min(MOST_TEMPO, rounded(spoken_ms / Math.max(1, slot_ms - INEXACT_MS)));
}

/** Sound that is sped up ends some milliseconds before or after it should. */
const INEXACT_MS = 15;

/** Where speech ends that begins with its slot. */
export function laidOut(
  spoken_ms: number,
  { slot_ms, room_ms }: Slot,
): Pick<FitReport, 'borrowed_ms' | 'overflow_ms' | 'drift_ms'> {
  const drift_ms = Math.max(0, spoken_ms - slot_ms);
  const borrowed_ms = Math.min(drift_ms, Math.max(0, room_ms));
  return { borrowed_ms, overflow_ms: drift_ms - borrowed_ms, drift_ms };
}

/** Rounded up, so that speech does not end later than computed. */
const rounded = (factor: number) => Math.ceil(factor * 1000) / 1000;

/** A piece of speech as it is to be heard, on the clock of the media. */
export interface Piece {
  readonly start_ms: number;
  /** With the silence that fills its slot. */
  readonly duration_ms: number;
  /** Without. */
  readonly heard_ms: number;
  /** How much of it belongs to what comes next. */
  readonly overflow_ms: number;
}

export interface Placed {
  /** When it begins. */
  readonly start_ms: number;
  /** By how much that is later than it should, because the piece before was not yet done. */
  readonly late_ms: number;
  /** How much of the piece before is faded out, since it would have kept this one waiting for too long. */
  readonly cut_before_ms: number;
}

/** Nobody is kept waiting for longer: picture and sound would be felt to be apart, and the next piece would wait as well. */
export const MOST_LATE_MS = 1500;

/**
 * When a piece begins, after one that is placed: what overflows is not talked over. Pieces that were not fitted in turn
 * (two people who talk at once) stay where they are.
 */
export function placed(piece: Pick<Piece, 'start_ms'>, before: (Piece & { at_ms: number }) | null): Placed {
  if (before === null) return { start_ms: piece.start_ms, late_ms: 0, cut_before_ms: 0 };
  const ends_ms = before.at_ms + before.heard_ms;
  const own_end_ms = before.start_ms + before.duration_ms - before.overflow_ms;
  const waiting_ms = Math.max(0, Math.min(ends_ms - piece.start_ms, ends_ms - own_end_ms));
  const late_ms = Math.min(MOST_LATE_MS, waiting_ms);
  return { start_ms: piece.start_ms + late_ms, late_ms, cut_before_ms: waiting_ms - late_ms };
}

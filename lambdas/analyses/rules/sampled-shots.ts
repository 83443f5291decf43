/** The shot of a sample, and the times that samples represent. Times are milliseconds, ends exclusive. */
import type { Interval } from '../../../shared/sound.ts';

export type Span = Readonly<Interval>;

/** The shot at a time. Shots are in order. Without shots, the whole media is one shot. */
export function shotAt(shots: readonly Span[], at_ms: number): Span {
  return shots.findLast(({ start_ms }) => start_ms <= at_ms) ?? shots[0] ?? wholeMedia;
}

const wholeMedia: Span = { start_ms: 0, end_ms: Number.POSITIVE_INFINITY };

/** Start of the time that a sample represents. For the first sample of a shot, this is the start of the shot. */
export const beginningOf = (at_ms: number, shot: Span, every_ms: number): number =>
  at_ms - shot.start_ms < every_ms ? shot.start_ms : at_ms;

/** A sample represents the time until the next sample, but not beyond its shot. */
export const endOf = (at_ms: number, shot: Span, every_ms: number): number =>
  Math.min(shot.end_ms, at_ms + every_ms);

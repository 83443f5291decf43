/** In which shot a sample of a video lies. Times are milliseconds, ends exclusive. */

export interface Span {
  readonly start_ms: number;
  readonly end_ms: number;
}

/** The shot at that moment: of those given, in order; without any the whole media is one. */
export function shotAt(shots: readonly Span[], at_ms: number): Span {
  return shots.findLast(({ start_ms }) => start_ms <= at_ms) ?? shots[0] ?? wholeMedia;
}

const wholeMedia: Span = { start_ms: 0, end_ms: Number.POSITIVE_INFINITY };

/** What the first sample of a shot shows is taken to be there from the shot's beginning. @param every_ms between two samples */
export const beginningOf = (at_ms: number, shot: Span, every_ms: number): number =>
  at_ms - shot.start_ms < every_ms ? shot.start_ms : at_ms;

/** A sample stands for the time until the next, and for none of the next shot. */
export const endOf = (at_ms: number, shot: Span, every_ms: number): number =>
  Math.min(shot.end_ms, at_ms + every_ms);

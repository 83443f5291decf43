/** The recent pace of a job, and the time that the remaining work takes. The measurements are stored with the job. */

interface Mark {
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Share of the work, 0 to 1. */
  readonly share: number;
}

export interface Pace {
  /** `from` is the start of the current measuring interval, `next` the start of the following one. */
  readonly from: Mark;
  readonly next: Mark;
  /** The last report in which the progress increased; absent in jobs of earlier versions. */
  readonly risen?: Mark;
  readonly last: number;
}

/** A measuring interval. The pace is measured over the last one or two intervals, so that it follows the load quickly. */
const STRETCH_MS = 60_000;
/** After a longer pause between two reports, the measurement starts again, because the laptop may have slept. */
const PAUSE_MS = 60_000;
/** The shortest measurement that gives an estimate. */
const SHORTEST_MS = 5_000;
/** A pause of up to this length counts as work, because progress is reported only after each piece. */
const PIECE_MS = 15_000;
/** The minimum progress in a short measurement. After half an interval, less is enough. */
const LEAST_SHARE = 0.02;

/** Returns the pace after a report. @param share the finished part of the work */
export function paced(before: Pace | undefined, at: number, share: number): Pace {
  const now = { at, share };
  if (before === undefined || at - before.last > PAUSE_MS) {
    return { from: now, next: now, risen: now, last: at };
  }
  const isMore = share > (before.risen ?? before.next).share;
  if (!isMore) return { ...before, last: at };
  const isStretched = at - before.next.at >= STRETCH_MS;
  const stretch = isStretched ? { from: before.next, next: now } : before;
  return { ...stretch, risen: now, last: at };
}

/**
 * Returns the remaining time at this pace, ms; null if too little was measured. Without new progress, the time counts down for
 * `PIECE_MS`, and then stays the same.
 */
export function remainingAt({ from, risen }: Pace, at: number, share: number): number | null {
  const measured = risen ?? { at, share };
  const elapsed = measured.at - from.at;
  const done = measured.share - from.share;
  const isLongEnough = elapsed >= SHORTEST_MS && (done >= LEAST_SHARE || elapsed >= STRETCH_MS / 2);
  if (!isLongEnough || done <= 0) return null;
  const remaining = Math.round((elapsed * (1 - measured.share)) / done);
  return Math.max(0, remaining - Math.min(at - measured.at, PIECE_MS));
}

/** An expected end, and when it was computed; both in milliseconds since the epoch. */
export interface Estimate {
  readonly ready_at: number;
  readonly at: number;
}

/** The expected end moves at most this many times as fast as the clock: 20 % of the remaining time in a tenth of it. */
const FASTEST = 2;

/**
 * The expected end that callers see. It follows the measured one, but never jumps: a job that waits for a place, or a
 * branch that starts or ends, can change the measured end by an hour, and then change it back.
 * @param measured null if it is not known; the estimate before stays until it has passed
 */
export function steadied(before: Estimate | null, measured: number | null, at: number): number | null {
  if (before === null) return measured;
  if (measured === null) return before.ready_at > at ? before.ready_at : null;
  const most = FASTEST * Math.max(0, at - before.at);
  return Math.min(Math.max(measured, before.ready_at - most), before.ready_at + most);
}

/**
 * How fast a job's work went lately, and how long the rest takes at that pace. Pure: what was measured is kept with the
 * job, since the work is done by processes that know nothing of each other.
 */

/** How much was done at a time. */
interface Mark {
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Share of the work, 0 to 1. */
  readonly share: number;
}

export interface Pace {
  /** Where the stretch begins over which the speed is measured, and where the next one will. */
  readonly from: Mark;
  readonly next: Mark;
  /** When more was done last, and how much by then; absent in what an earlier version wrote. */
  readonly risen?: Mark;
  /** When something was reported last. */
  readonly last: number;
}

/** The speed is that of the last one to two minutes: long enough to be smooth, and other jobs come and go. */
const STRETCH_MS = 60_000;
/** After so long without a word nobody worked: a laptop slept, or the processes were killed. It is measured anew. */
const PAUSE_MS = 60_000;
/** What is measured over less is not told. */
const SHORTEST_MS = 5_000;
/** So long a time without more done is a part of the pace: work is told of piece by piece. */
const PIECE_MS = 15_000;
/** In such a short time, so much must have been done; where the work is long, half a stretch will do. */
const LEAST_SHARE = 0.02;

/** The pace after a report that `share` is done. */
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
 * Milliseconds until all is done at this pace; null while too little was seen. While nothing more is done, the pace is what it
 * was: the end that it leads to stays where it is for a while, and is put off by no more than the time that passes then.
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

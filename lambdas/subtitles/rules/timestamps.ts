/** Times as subtitle files write them. */
import { itemAt } from '../../../shared/checked-access.ts';
import type { Cue } from './cue.ts';
import { BROADCAST_LIMITS } from './limits.ts';

/** The largest time. No media is this long, and sums with this number are still exact. */
const LATEST_MS = 2 ** 52;

/** A time as whole milliseconds from the start of the media. NaN and infinity become 0. */
export function wholeMs(ms: number): number {
  return Number.isFinite(ms) ? Math.min(Math.max(Math.round(ms), 0), LATEST_MS) : 0;
}

const twoDigits = Array.from({ length: 100 }, (_, n) => String(n).padStart(2, '0'));
const secondsAnd = {
  '.': twoDigits.map((digits) => `${digits}.`),
  ',': twoDigits.map((digits) => `${digits},`),
};
const threeDigits = Array.from({ length: 1000 }, (_, n) => String(n).padStart(3, '0'));

/** `hh:mm:ss`, the mark, and three digits of milliseconds. Hours have two or more digits. */
export function timestamp(ms: number, mark: '.' | ','): string {
  const seconds = Math.floor(ms / 1000);
  return (
    minuteOf(Math.floor(seconds / 60)) +
    (itemAt(secondsAnd[mark], seconds % 60) + itemAt(threeDigits, ms % 1000))
  );
}

// The minute that was written last. Neighboring times usually share it.
let lastMinute = { minutes: 0, written: '00:00:' };

function minuteOf(minutes: number): string {
  if (minutes !== lastMinute.minutes) {
    const hours = Math.floor(minutes / 60);
    lastMinute = {
      minutes,
      written: `${String(hours).padStart(2, '0')}:${itemAt(twoDigits, minutes % 60)}:`,
    };
  }
  return lastMinute.written;
}

/** Corrects cues: times are whole and not negative, cues are ordered by start, and a cue without a duration gets the shortest one. */
export function writableCues(cues: readonly Cue[]): Cue[] {
  const mended = cues.map(withUsableTimes);
  const isOrdered = mended.every((cue, i) => i === 0 || itemAt(mended, i - 1).start_ms <= cue.start_ms);
  return isOrdered ? mended : mended.sort((one, other) => one.start_ms - other.start_ms);
}

function withUsableTimes(cue: Cue): Cue {
  const start_ms = wholeMs(cue.start_ms);
  const end_ms = wholeMs(cue.end_ms);
  if (start_ms === cue.start_ms && end_ms === cue.end_ms && end_ms > start_ms) return cue;
  return { ...cue, start_ms, end_ms: end_ms > start_ms ? end_ms : start_ms + BROADCAST_LIMITS.min_ms };
}

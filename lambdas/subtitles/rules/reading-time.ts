/** The facts about speech that decide its time on screen, and the time that a reader needs. */

import type { SubtitleLimits } from './limits.ts';

/** A start and an end, whole milliseconds. */
export type Span = { start_ms: number; end_ms: number };

/**
 * The times of a phrase, and its width on one line. `held` has the set times of its segment, if any. All phrases of a
 * segment share that object.
 */
export type Spoken = Span & { columns: number; held?: Span | undefined };

/**
 * How long a text of this width must be on screen at the highest reading speed. At least the shortest time, and at most
 * the longest.
 */
export function neededMs(columns: number, limits: SubtitleLimits): number {
  const readable = Math.ceil((columns * 1000) / limits.max_columns_per_second);
  return Math.min(Math.max(readable, limits.min_ms), limits.max_ms);
}

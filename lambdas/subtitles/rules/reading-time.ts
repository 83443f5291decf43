/** What is spoken, as far as it decides when it is on screen. */

import type { SubtitleLimits } from './limits.ts';

/** From when to when, whole milliseconds. */
export type Span = { start_ms: number; end_ms: number };

/**
 * What is spoken from when to when, and how wide it is written on one line. Phrases of a segment whose times were
 * set are held by these: the same object for all of them.
 */
export type Spoken = Span & { columns: number; held?: Span | undefined };

/** How long so many columns must be on screen to be read at the highest speed, never below the shortest time. */
export function neededMs(columns: number, limits: SubtitleLimits): number {
  const readable = Math.ceil((columns * 1000) / limits.max_columns_per_second);
  return Math.min(Math.max(readable, limits.min_ms), limits.max_ms);
}

/** Speech as far as it decides its time on screen, and the time that reading needs. */

import type { SubtitleLimits } from './limits.ts';

/** A start and an end, whole milliseconds. */
export type Span = { start_ms: number; end_ms: number };

/**
 * When a phrase is spoken, and its width on one line. `held` are the set times of its segment, if it has any: the
 * same object for all its phrases.
 */
export type Spoken = Span & { columns: number; held?: Span | undefined };

/** How long so many columns must be on screen at the highest reading speed, within the shortest and longest times. */
export function neededMs(columns: number, limits: SubtitleLimits): number {
  const readable = Math.ceil((columns * 1000) / limits.max_columns_per_second);
  return Math.min(Math.max(readable, limits.min_ms), limits.max_ms);
}

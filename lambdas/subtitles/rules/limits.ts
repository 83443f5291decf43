/** The professional limits for subtitles, and the time that a reader needs. A format with narrower lines sets a smaller `line_width`. */
export type SubtitleLimits = {
  /** Columns in a line: 42 letters, or 16 full-width characters (see `displayWidth`). */
  line_width: number;
  /** Shortest time on screen, ms. */
  min_ms: number;
  /** Longest time on screen, ms. */
  max_ms: number;
  /** Shortest gap between two cues, ms: two frames at 25 a second. */
  gap_ms: number;
  /** A gap that is longer than `gap_ms` but shorter than this looks like a flicker, ms. It is shortened to `gap_ms`. */
  flicker_ms: number;
  /** Comfortable reading speed, columns a second. To reach it, a cue stays during the silence after its speech. */
  columns_per_second: number;
  /** Highest reading speed, columns a second. A cue exceeds it only if the speech is faster. */
  max_columns_per_second: number;
  /** A cue may appear this long before its speech, so that it is readable, ms. */
  lead_ms: number;
  /** A cue may appear this long after its speech, so that the previous cue is readable, ms. */
  slip_ms: number;
};

// Netflix Timed Text Style Guide, General Requirements §1 duration (at least 5/6 s, at most 7 s), §3 frame
// gap, §5 line treatment; reading speed 17 characters a second for adults, never above 20 (English template §2).
export const BROADCAST_LIMITS: SubtitleLimits = {
  line_width: 42,
  min_ms: 834,
  max_ms: 7000,
  gap_ms: 80,
  flicker_ms: 440,
  columns_per_second: 17,
  max_columns_per_second: 20,
  lead_ms: 240,
  slip_ms: 500,
};

export type Span = { start_ms: number; end_ms: number };

/**
 * The times of a phrase, and its width on one line. `held` has the set times of its segment, if any. All phrases of a
 * segment share that object.
 */
export type Spoken = Span & { columns: number; held?: Span | undefined };

/** How long a text of this width must be on screen at the highest reading speed, ms: from `min_ms` to `max_ms`. */
export function neededMs(columns: number, limits: SubtitleLimits): number {
  const readable = Math.ceil((columns * 1000) / limits.max_columns_per_second);
  return Math.min(Math.max(readable, limits.min_ms), limits.max_ms);
}

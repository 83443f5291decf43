/** The professional limits for subtitles. A format with narrower lines passes its own. */

export type SubtitleLimits = {
  /** Columns in a line: 42 letters, or 16 full-width characters (see `displayWidth`). */
  line_width: number;
  /** Shortest and longest time on screen, ms. */
  min_ms: number;
  max_ms: number;
  /** Shortest gap between two cues, ms: two frames at 25 a second. */
  gap_ms: number;
  /** A gap between `gap_ms` and this looks like a flicker, ms. It is closed to `gap_ms`. */
  flicker_ms: number;
  /** Comfortable reading speed in columns a second. A cue lasts longer to reach it, if there is silence after it. */
  columns_per_second: number;
  /** Highest reading speed in columns a second. Neighbors move to keep it. Only faster speech exceeds it. */
  max_columns_per_second: number;
  /** A cue may appear this much before its speech to be readable, ms. */
  lead_ms: number;
  /** A cue may appear this much after its speech, so that the cue before it is readable, ms. */
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

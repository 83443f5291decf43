/** The field's limits for subtitles, as data; a format with narrower lines passes its own. */

export type SubtitleLimits = {
  /** Columns of a line: 42 letters, or 16 full-width characters (see `displayWidth`). */
  line_width: number;
  /** Shortest and longest time on screen, ms. */
  min_ms: number;
  max_ms: number;
  /** Shortest pause between two cues, ms: two frames at 25 per second. */
  gap_ms: number;
  /** A longer gap than `gap_ms`, up to this, reads as a flicker and is closed to `gap_ms`. */
  flicker_ms: number;
  /** Columns a second that read comfortably; cues last longer to reach it where there is silence. */
  columns_per_second: number;
  /** Columns a second that only a speaker who is faster makes a cue exceed; neighbours give way for it. */
  max_columns_per_second: number;
  /** How much earlier than its speech a cue may appear to be readable, ms. */
  lead_ms: number;
  /** How much later than its speech a cue may appear so that the one before it is readable, ms. */
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

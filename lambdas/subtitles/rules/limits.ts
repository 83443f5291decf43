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
  /** How much earlier than its speech a cue may appear to be readable, ms. */
  lead_ms: number;
  /** What stays of a cue when speech leaves no room at all, ms. */
  floor_ms: number;
};

// Netflix Timed Text Style Guide, General Requirements §1 duration, §3 frame gap, §5 line treatment;
// reading speed 17 characters a second for adults (English template §2).
export const BROADCAST_LIMITS: SubtitleLimits = {
  line_width: 42,
  min_ms: 833,
  max_ms: 7000,
  gap_ms: 80,
  flicker_ms: 440,
  columns_per_second: 17,
  lead_ms: 240,
  floor_ms: 200,
};

/** A subtitle: what stands on the screen, and when. */

export type Cue = {
  /** Whole milliseconds from the start of the media. */
  start_ms: number;
  end_ms: number;
  /** Never blank. */
  lines: string[];
  speaker: string | null;
  /** Who speaks each of the lines, where two speak at the same time. */
  voices?: readonly (string | null)[];
  /**
   * Puts the cue at the top of the picture, out of the way of another at the bottom. Without it, it stands at
   * the bottom.
   */
  position?: 'top';
};

/** What a reader of subtitle files could not take as it stood. */
export type CueProblem = {
  /** 1-based. */
  line: number;
  message: string;
};

/** What a reader of subtitle files makes of any text whatever; it never throws. */
export type ParsedCues = { cues: Cue[]; problems: CueProblem[] };

/** Whether two cues are on screen at the same moment. */
export function overlap(one: Cue, other: Cue): boolean {
  return one.start_ms < other.end_ms && other.start_ms < one.end_ms;
}

/** A cue: the text on the screen, and its times. */
export type Cue = {
  /** Both times are whole milliseconds from the start of the media. */
  start_ms: number;
  end_ms: number;
  /** Never blank. */
  lines: string[];
  speaker: string | null;
  /** The speaker of each line, if two people speak at the same time. */
  voices?: readonly (string | null)[];
  /** `top` if another cue needs the bottom of the picture. A cue without a position is at the bottom. */
  position?: 'top';
};

/** A fault in a subtitle file. The reader repaired or skipped it. */
export type CueProblem = {
  /** The number of the line, from 1. */
  line: number;
  message: string;
};

/** The result of reading a text. Readers accept any text and never throw. */
export type ParsedCues = { cues: Cue[]; problems: CueProblem[] };

export function overlap(one: Cue, other: Cue): boolean {
  return one.start_ms < other.end_ms && other.start_ms < one.end_ms;
}

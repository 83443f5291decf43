/**
 * Splits a cue into pages that fit the picture. It keeps the written lines if they fit. Otherwise, it sets new line
 * breaks.
 */
import { shownLine } from './ass-syntax.ts';
import { layOut, measureText, type Piece, type TextLine, type Typeface } from './lay-out-text.ts';
import { splitText } from './split-text.ts';

export interface BurnedCue {
  /** Milliseconds from the start of the clip. */
  readonly start_ms: number;
  readonly end_ms: number;
  readonly lines: readonly string[];
  /** The speaker of each line, if two people speak at the same time. */
  readonly voices?: readonly (string | null)[] | undefined;
  readonly position?: 'top' | undefined;
}

export interface Frame {
  /** The longest line, in em. */
  readonly room: number;
  /** The most lines that fit. */
  readonly most_lines: number;
}

/** The usual number of lines of a page. */
const LINES_AT_ONCE = 2;
/**
 * A frame is narrow if its line length in em is below this: about 25 Latin letters. Narrow frames get more lines on a
 * page.
 */
const LINES_IN_NARROW = 3;
const NARROW = 14;
/**
 * The shortest time of a page: 5/6 s, by the guidelines of EBU and BBC. A page gets more lines if its time would be
 * shorter.
 */
const BRIEFEST_MS = 833;

export interface PageOfCue {
  readonly start_ms: number;
  readonly end_ms: number;
  readonly isAtTop: boolean;
  readonly lines: readonly TextLine[];
}

/**
 * Returns the pages of the cue. If its lines fit as written, there is one page. Otherwise, the text gets new line
 * breaks; the words of two speakers stay on separate lines. Text with too many lines becomes several pages. The time of
 * each page depends on the length of its text.
 */
export function splitCue(
  cue: BurnedCue,
  frame: Frame,
  typeface: Typeface,
  missing: Set<string>,
): PageOfCue[] {
  const { room } = frame;
  const paragraphs = paragraphsOf(cue).map((written) => measureText(written, room, typeface));
  for (const paragraph of paragraphs) for (const one of paragraph.missing) missing.add(one);
  const laid = paragraphs.map(({ pieces }) => layOut(pieces, room, typeface));
  const asWritten = paragraphs
    .flatMap(({ pieces, ends }) => writtenLines(pieces, ends))
    .map((line) => layOut(line, room, typeface));
  const isShort = asWritten.length <= Math.min(LINES_IN_NARROW, frame.most_lines);
  if (isShort && asWritten.every((lines) => lines.length === 1)) return timed(cue, [asWritten.flat()]);
  const count = laid.flat().length;
  const most = linesAtOnce(count, cue, frame);
  if (count <= most) return timed(cue, [laid.flat()]);
  const parts = paragraphs.flatMap((paragraph) => splitText(paragraph, room, most));
  return timed(
    cue,
    parts.map((part) => layOut(part, room, typeface)),
  );
}

const LEADING_DASH = /^[\u200e\u200f]?[-–—]/;

/** Groups the lines of the cue into paragraphs: consecutive lines of one speaker. */
function paragraphsOf({ lines, voices }: BurnedCue): (readonly string[])[] {
  const isDialogue = voices !== undefined && lines.length > 1;
  const written = lines.map(shownLine).filter((line) => line !== '');
  const dashed = written.map((line) => (isDialogue && !LEADING_DASH.test(line) ? `- ${line}` : line));
  const isOfTwo = isDialogue || (dashed.length > 1 && dashed.every((line) => LEADING_DASH.test(line)));
  return isOfTwo ? dashed.map((line) => [line]) : [dashed];
}

function writtenLines(pieces: readonly Piece[], ends: ReadonlySet<number>): (readonly Piece[])[] {
  const all = [...ends];
  return all.map((end, at) => pieces.slice((all[at - 1] ?? -1) + 1, end + 1));
}

/** Returns the usual number of lines, or more if the pages would be too short. */
function linesAtOnce(count: number, { start_ms, end_ms }: BurnedCue, { room, most_lines }: Frame): number {
  const usual = room < NARROW ? LINES_IN_NARROW : LINES_AT_ONCE;
  const parts = Math.max(1, Math.floor((end_ms - start_ms) / BRIEFEST_MS));
  return Math.min(most_lines, Math.max(usual, Math.ceil(count / parts)));
}

/** Divides the time of the cue among its pages by the length of their text. */
function timed(
  { start_ms, end_ms, position }: BurnedCue,
  pages: readonly (readonly TextLine[])[],
): PageOfCue[] {
  const lengths = pages.map((lines) => lines.reduce((sum, { width }) => sum + width, 0));
  const all = lengths.reduce((sum, length) => sum + length, 0);
  let shown = 0;
  const timeNow = () => (all === 0 ? start_ms : start_ms + ((end_ms - start_ms) * shown) / all);
  return pages.map((lines, at) => {
    const from = timeNow();
    shown += lengths[at]!;
    return {
      start_ms: from,
      end_ms: at === pages.length - 1 ? end_ms : timeNow(),
      isAtTop: position === 'top',
      lines,
    };
  });
}

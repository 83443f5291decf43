/** Splits a cue into pages that fit the picture. Keeps the lines as written if they fit. */

import { itemAt } from '../../shared/checked-access.ts';
import type { Interval } from '../../shared/sound.ts';
import { shownLine } from './ass-syntax.ts';
import { layOut, measureText, type Piece, type TextLine, type Typeface } from './lay-out-text.ts';
import { splitText } from './split-text.ts';

/** A cue. Its times are relative to the start of the clip. */
export interface BurnedCue extends Readonly<Interval> {
  readonly lines: readonly string[];
  /** The speaker of each line, if two people speak at the same time. */
  readonly voices?: readonly (string | null)[] | undefined;
  readonly position?: 'top' | undefined;
}

export interface Frame {
  /** The maximum width of a line, in em. */
  readonly room: number;
  readonly most_lines: number;
}

const LINES_AT_ONCE = 2;
/** The number of lines of a page in a narrow frame. In a narrow frame, lines are shorter than `NARROW` em, about 25 Latin letters. */
const LINES_IN_NARROW = 3;
const NARROW = 14;
/** The minimum duration of a page: 5/6 s, by the guidelines of EBU and BBC. If pages would be shorter, they get more lines. */
const BRIEFEST_MS = 833;

export interface PageOfCue extends Readonly<Interval> {
  readonly isAtTop: boolean;
  readonly lines: readonly TextLine[];
}

/** Returns the pages of a cue. Words of two speakers stay on separate lines. The duration of a page depends on the length of its text. */
export function splitCue(cue: BurnedCue, frame: Frame, typeface: Typeface, missing: Set<string>) {
  const { room } = frame;
  const paragraphs = paragraphsOf(cue).map((written) => measureText(written, room, typeface, missing));
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

/** Returns the number of lines on a page: the usual number, or more if the pages would be too short. */
function linesAtOnce(count: number, { start_ms, end_ms }: BurnedCue, { room, most_lines }: Frame): number {
  const usual = room < NARROW ? LINES_IN_NARROW : LINES_AT_ONCE;
  const parts = Math.max(1, Math.floor((end_ms - start_ms) / BRIEFEST_MS));
  return Math.min(most_lines, Math.max(usual, Math.ceil(count / parts)));
}

/** Divides the time of the cue among its pages, in proportion to the length of their text. */
function timed({ start_ms, end_ms, position }: BurnedCue, pages: readonly (readonly TextLine[])[]) {
  const lengths = pages.map((lines) => lines.reduce((sum, { width }) => sum + width, 0));
  const all = lengths.reduce((sum, length) => sum + length, 0);
  let shown = 0;
  const timeNow = () => (all === 0 ? start_ms : start_ms + ((end_ms - start_ms) * shown) / all);
  return pages.map((lines, at) => {
    const from = timeNow();
    shown += itemAt(lengths, at);
    return {
      start_ms: from,
      end_ms: at === pages.length - 1 ? end_ms : timeNow(),
      isAtTop: position === 'top',
      lines,
    };
  });
}

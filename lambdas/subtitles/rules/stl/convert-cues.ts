/** Converts cues to EBU STL subtitles, and EBU STL subtitles to cues. */
import { itemAt } from '../../../../shared/checked-access.ts';
import type { Cue } from '../cue.ts';
import { findLanguageRules } from '../language-rules.ts';
import { BROADCAST_LIMITS, type SubtitleLimits } from '../limits.ts';
import { fitsTwoLines, layLines } from '../line-breaks.ts';
import { atomsOf, cleanLines, cueText } from '../text.ts';
import { writableCues } from '../timestamps.ts';
import { joinTopCues } from '../top-cues.ts';
import { type CodeTable, type Replaced, TableWriter } from './code-tables.ts';
import {
  type Color,
  type DisplayStandard,
  isTeletext,
  type StlFile,
  type StlRow,
  type StlSpan,
  type StlSubtitle,
} from './file.ts';
import { ROW_CHARACTERS, textOf } from './text-field.ts';
import { framesOf, msOf } from './time-codes.ts';

/** The cue limits for STL files. In teletext, a color code takes one cell of the row if speakers have colors. */
export const stlLimits = (display: DisplayStandard, hasSpeakerColors = false): SubtitleLimits => ({
  ...BROADCAST_LIMITS,
  line_width: ROW_CHARACTERS[display] - (hasSpeakerColors && isTeletext(display) ? COLOR_CELLS : 0),
});

/** Whether speakers have colors: only if several people speak. */
export const hasSpeakerColors = (all: readonly { readonly speaker: string | null }[]): boolean =>
  new Set(all.flatMap(({ speaker }) => speaker ?? [])).size > 1;

// BBC Subtitle Guidelines, "Colours": white, yellow, cyan and green, in this order. White needs no code.
const SPEAKER_COLORS: readonly (Color | null)[] = [null, 'yellow', 'cyan', 'green'];
const COLOR_CELLS = 1;

export type StlLayout = {
  display: DisplayStandard;
  codeTable: CodeTable;
  framesPerSecond: number;
  /** The time of the program's first picture, in frames since midnight. */
  startFrame: number;
  /** BCP 47 tag. It decides where lines break. */
  language?: string | undefined;
};

/** MNR, the number of rows on the screen: 23 on teletext pages, and for open subtitles the rows in large type. */
export const MAX_ROWS: Readonly<Record<DisplayStandard, number>> = { open: 11, level1: 23, level2: 23 };
/** The maximum number of text rows in a subtitle. They fill the screen: in teletext, each row has double height. */
const MOST_ROWS = 11;
/** The maximum number of rows of a cumulative set; older rows are dropped. MNR has two digits (Tech 3264 §4.2). */
const MOST_BUILT = 99;

const GROUP_SIZE = 65_536;

/**
 * Converts the cues that have text to subtitles: centered at the bottom, one at a time. A sound that overlaps speech
 * joins the subtitle of the speech. Characters that the code table lacks are replaced. In teletext, text has the color
 * of its speaker. Times are rounded to the nearest frame, and no subtitle ends after the next one begins.
 */
export function subtitlesOf(
  cues: readonly Cue[],
  layout: StlLayout,
): { subtitles: StlSubtitle[]; replaced: Replaced[] } {
  const writer = new TableWriter(layout.codeTable);
  const colors = isTeletext(layout.display) ? colorsOf(cues) : new Map<string, Color | null>();
  const writing = { ...layout, colors, writer };
  const shown = joinTopCues(writableCues(cues), layout.language)
    .map((cue) => ({ ...cue, rows: coloredRows(cue, writing) }))
    .filter(({ rows }) => rows.length > 0);
  const frameOf = (ms: number) => layout.startFrame + framesOf(ms, layout.framesPerSecond);
  const subtitles = shown.flatMap(({ start_ms, end_ms, rows }, i) => {
    const startFrame = frameOf(start_ms);
    const next = shown[i + 1];
    const nextFrame = next ? Math.max(frameOf(next.start_ms), startFrame + 1) : Number.POSITIVE_INFINITY;
    const endFrame = Math.min(Math.max(frameOf(end_ms), startFrame + 1), nextFrame);
    return screensOf(rows, { startFrame, endFrame }, layout);
  });
  const numbered = subtitles.map((subtitle, i) => ({
    ...subtitle,
    group: Math.floor(i / GROUP_SIZE) % 256,
    number: i % GROUP_SIZE,
  }));
  return { subtitles: numbered, replaced: writer.replaced };
}

/** The colors of speakers, in the order of their first cue. The fifth speaker has the color of the first. */
function colorsOf(cues: readonly Cue[]): Map<string, Color | null> {
  const speakers = new Set(
    cues.flatMap(({ speaker, voices }) => voices ?? [speaker]).filter((one) => one !== null),
  );
  return new Map([...speakers].map((one, i) => [one, itemAt(SPEAKER_COLORS, i % SPEAKER_COLORS.length)]));
}

type Writing = StlLayout & { colors: ReadonlyMap<string, Color | null>; writer: TableWriter };

function coloredRows({ lines, speaker, voices }: Cue, writing: Writing): StlSpan[] {
  const colorOf = (one: string | null) => (one === null ? null : (writing.colors.get(one) ?? null));
  const all = (voices ?? [speaker]).map(colorOf);
  const isColored = all.some((color) => color !== null);
  const rows = rowsOf(lines, ROW_CHARACTERS[writing.display] - (isColored ? COLOR_CELLS : 0), writing);
  return rows.map((text, i) => {
    const color = voices === undefined ? itemAt(all, 0) : rows.length === all.length ? itemAt(all, i) : null;
    return { text, ...(color && { color }) };
  });
}

/** The rows of some lines, with only characters of the table. A line that is too long for a row is broken again. */
function rowsOf(lines: readonly string[], width: number, { language, writer }: Writing): string[] {
  const text = cueText(lines, (line) => line);
  if (text === '') return [];
  const writable = writer.writable(text);
  // A replacement can leave several spaces in a row of text.
  const rows = writable === text ? text.split('\n') : cleanLines(writable.split('\n'));
  if (rows.every((row) => row.length <= width)) return rows;
  const atoms = atomsOf(rows.join(' '));
  if (fitsTwoLines(atoms, width))
    return layLines(atoms, width, findLanguageRules(language)).map(withoutDirections);
  return filled(rows.join(' ').split(' '), width);
}

/** Removes direction marks, because no code table has them. */
const withoutDirections = (line: string): string => line.replace(/\p{Cf}/gu, '');

/** Fills rows with words. A word that is wider than a row is cut. */
function filled(words: readonly string[], width: number): string[] {
  const rows: string[] = [];
  let row = '';
  for (const word of words) {
    if (row !== '' && row.length + 1 + word.length > width) {
      rows.push(row);
      row = '';
    }
    row = row === '' ? word : `${row} ${word}`;
    while (row.length > width) {
      rows.push(row.slice(0, width));
      row = row.slice(width);
    }
  }
  return row === '' ? rows : [...rows, row];
}

type Times = Pick<StlSubtitle, 'startFrame' | 'endFrame'>;

/** One subtitle. If the rows do not fit on one screen, several subtitles in sequence. */
function screensOf(
  rows: readonly StlSpan[],
  times: Times,
  { display }: StlLayout,
): Omit<StlSubtitle, 'group' | 'number'>[] {
  const count = Math.ceil(rows.length / MOST_ROWS);
  const frames = times.endFrame - times.startFrame;
  return Array.from({ length: count }, (_, i) => {
    const screen = rows.slice(i * MOST_ROWS, (i + 1) * MOST_ROWS);
    const isBoxed = isTeletext(display);
    const startFrame = times.startFrame + Math.floor((i * frames) / count);
    const until = times.startFrame + Math.floor(((i + 1) * frames) / count);
    return {
      cumulative: 'none' as const,
      startFrame,
      endFrame: Math.max(until, startFrame + 1),
      row: rowAtBottom(screen.length, display),
      justification: 'center' as const,
      isComment: false,
      rows: screen.map((span) => ({ spans: [span], isDoubleHeight: isBoxed, isBoxed })),
    };
  });
}

/**
 * The number of the first row of a text, so that the last row is at the bottom. A teletext row has double height, so
 * the last row takes rows 22 and 23. Open subtitles leave one row free at the bottom, because some programs count rows
 * from 0 and others from 1.
 */
function rowAtBottom(count: number, display: DisplayStandard): number {
  const last = MAX_ROWS[display] - 1;
  return Math.max(isTeletext(display) ? last - 2 * (count - 1) : last - (count - 1), 0);
}

/**
 * The cues of a file: the text that viewers see, without comments and control codes. Times count from the program's
 * start. If any subtitle is earlier than that start, the start time code is wrong, and times count from midnight.
 */
export function cuesFromStl({ header, subtitles }: StlFile): Cue[] {
  const { framesPerSecond: rate, display } = header;
  const shown = subtitles.filter(({ isComment }) => !isComment);
  const isBefore = shown.some(({ startFrame }) => startFrame < header.startFrame);
  const timeOf = (frame: number) => msOf(frame - (isBefore ? 0 : header.startFrame), rate);
  // A teletext page has a fixed number of rows, but some headers have another number.
  const rows = isTeletext(display) ? MAX_ROWS[display] : header.maxRows;
  let built: StlRow[] = [];
  const cues = shown.map((subtitle, i): Cue => {
    const { startFrame, cumulative, row } = subtitle;
    const goesOn = cumulative === 'first' || cumulative === 'intermediate';
    const goesBefore = cumulative === 'intermediate' || cumulative === 'last' ? built : [];
    built = [...goesBefore, ...subtitle.rows].slice(-MOST_BUILT);
    // Each part of a cumulative set stays on screen until the next part is added.
    const endFrame = goesOn ? (shown[i + 1]?.startFrame ?? subtitle.endFrame) : subtitle.endFrame;
    return {
      start_ms: timeOf(startFrame),
      end_ms: timeOf(endFrame),
      lines: cleanLines(built.map(textOf)),
      speaker: null,
      ...(row < rows / 2 && { position: 'top' }),
    };
  });
  return writableCues(cues.filter(({ lines }) => lines.length > 0));
}

/** EBU STL subtitles of cues, and cues of EBU STL subtitles. */

import type { Cue } from '../cue.ts';
import { rulesOf } from '../language-rules.ts';
import { BROADCAST_LIMITS, type SubtitleLimits } from '../limits.ts';
import { fitsTwoLines, layLines } from '../line-breaks.ts';
import { inOnePlace } from '../sound-cues.ts';
import { atomsOf, cleanLines, payload } from '../text.ts';
import { writableCues } from '../timestamps.ts';
import { type CodeTable, type Replaced, TableWriter } from './code-tables.ts';
import {
  type Colour,
  type DisplayStandard,
  isTeletext,
  type StlFile,
  type StlRow,
  type StlSpan,
  type StlSubtitle,
} from './file.ts';
import { ROW_CHARACTERS, textOf } from './text-field.ts';
import { framesOf, msOf } from './time-codes.ts';

/** The limits of cues that are to be written as STL: a row less a cell for its colour where several speakers are told apart. */
export const stlLimits = (display: DisplayStandard, hasColours = false): SubtitleLimits => ({
  ...BROADCAST_LIMITS,
  line_width: ROW_CHARACTERS[display] - (hasColours && isTeletext(display) ? COLOUR_CELLS : 0),
});

/** Whether speakers are told apart by colours: where there are several. */
export const hasColours = (all: readonly { readonly speaker: string | null }[]): boolean =>
  new Set(all.flatMap(({ speaker }) => speaker ?? [])).size > 1;

// BBC Subtitle Guidelines, "Colours": white, yellow, cyan and green, in this order. White needs no code.
const SPEAKER_COLOURS: readonly (Colour | null)[] = [null, 'yellow', 'cyan', 'green'];
const COLOUR_CELLS = 1;

export type StlLayout = {
  display: DisplayStandard;
  codeTable: CodeTable;
  framesPerSecond: number;
  /** Frames since midnight of the programme's first picture. */
  startFrame: number;
  /** BCP 47 tag, for where lines may break. */
  language?: string;
};

/** MNR. Rows of teletext are those of its page; the picture of open subtitles is divided as coarsely as large type is. */
export const MAX_ROWS: Readonly<Record<DisplayStandard, number>> = { open: 11, level1: 23, level2: 23 };
/** How many rows of text a subtitle has at most: all of the screen, of double height in teletext. */
const MOST_ROWS = 11;
/** How many rows a cumulative set builds up, however long it goes on: MNR has two digits (Tech 3264 §4.2). The newest stay. */
const MOST_BUILT = 99;

/** How many subtitles a group numbers. */
const GROUP_SIZE = 65_536;

/**
 * Subtitles of the cues that have any text: centred at the bottom (sounds that overlap speech join it), one at a time,
 * with what the code table has for their characters, in teletext in the colours of their speakers. Times are of the frame that is nearest; none ends after the next
 * begins.
 */
export function subtitlesOf(
  cues: readonly Cue[],
  layout: StlLayout,
): { subtitles: StlSubtitle[]; replaced: Replaced[] } {
  const writer = new TableWriter(layout.codeTable);
  const colours = isTeletext(layout.display) ? coloursOf(cues) : new Map<string, Colour | null>();
  const shown = inOnePlace(writableCues(cues), layout.language)
    .map((cue) => ({ ...cue, rows: colouredRows(cue, colours, layout, writer) }))
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

/** The colours of speakers, in the order in which they are first shown; the fifth has that of the first again. */
function coloursOf(cues: readonly Cue[]): Map<string, Colour | null> {
  const speakers = new Set(
    cues.flatMap(({ speaker, voices }) => voices ?? [speaker]).filter((one) => one !== null),
  );
  return new Map([...speakers].map((one, i) => [one, SPEAKER_COLOURS[i % SPEAKER_COLOURS.length]!]));
}

/** The rows of a cue in the colour of its speaker, or each in that of the one who speaks it. */
function colouredRows(
  { lines, speaker, voices }: Cue,
  colours: ReadonlyMap<string, Colour | null>,
  layout: StlLayout,
  writer: TableWriter,
): StlSpan[] {
  const colourOf = (one: string | null) => (one === null ? null : (colours.get(one) ?? null));
  const all = (voices ?? [speaker]).map(colourOf);
  const isColoured = all.some((colour) => colour !== null);
  const rows = rowsOf(
    lines,
    ROW_CHARACTERS[layout.display] - (isColoured ? COLOUR_CELLS : 0),
    layout,
    writer,
  );
  return rows.map((text, i) => {
    const colour = voices === undefined ? all[0]! : rows.length === all.length ? all[i]! : null;
    return { text, ...(colour && { colour }) };
  });
}

/** The lines in characters of the table, laid anew where they are too long for a row. */
function rowsOf(
  lines: readonly string[],
  width: number,
  { language }: StlLayout,
  writer: TableWriter,
): string[] {
  const text = payload(lines, (line) => line);
  if (text === '') return [];
  const writable = writer.writable(text);
  // Where something was replaced, blanks may have come together.
  const rows = writable === text ? text.split('\n') : cleanLines(writable.split('\n'));
  if (rows.every((row) => row.length <= width)) return rows;
  const atoms = atomsOf(rows.join(' '));
  if (fitsTwoLines(atoms, width)) return layLines(atoms, width, rulesOf(language)).map(withoutDirections);
  return filled(rows.join(' ').split(' '), width);
}

/** Marks of direction, which no code table has. */
const withoutDirections = (line: string): string => line.replace(/\p{Cf}/gu, '');

/** Words row by row; one that is wider than a row is cut. */
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

/** One subtitle; several, one after the other, where the rows are more than a screen has. */
function screensOf(rows: readonly StlSpan[], times: Times, { display }: StlLayout): StlSubtitle[] {
  const count = Math.ceil(rows.length / MOST_ROWS);
  const frames = times.endFrame - times.startFrame;
  return Array.from({ length: count }, (_, i): StlSubtitle => {
    const screen = rows.slice(i * MOST_ROWS, (i + 1) * MOST_ROWS);
    const isBoxed = isTeletext(display);
    const startFrame = times.startFrame + Math.floor((i * frames) / count);
    const until = times.startFrame + Math.floor(((i + 1) * frames) / count);
    return {
      group: 0,
      number: 0,
      cumulative: 'none',
      startFrame,
      endFrame: Math.max(until, startFrame + 1),
      row: rowAtBottom(screen.length, display),
      justification: 'centre',
      isComment: false,
      rows: screen.map((span) => ({ spans: [span], isDoubleHeight: isBoxed, isBoxed })),
    };
  });
}

/**
 * Where the first of some rows stands so that the last is at the bottom. Rows of teletext are two high, and the last
 * takes 22 and 23. Open subtitles are kept a row from the end, since some makers count from 0 and others from 1.
 */
function rowAtBottom(count: number, display: DisplayStandard): number {
  const last = MAX_ROWS[display] - 1;
  return Math.max(isTeletext(display) ? last - 2 * (count - 1) : last - (count - 1), 0);
}

/**
 * The cues of a file: what viewers see, without comments and control codes. Times are from the programme's start;
 * from midnight where a subtitle is before it, since then the time code of the start is not of these subtitles.
 */
export function cuesOfStl({ header, subtitles }: StlFile): Cue[] {
  const { framesPerSecond: rate, display } = header;
  const shown = subtitles.filter(({ isComment }) => !isComment);
  const isBefore = shown.some(({ startFrame }) => startFrame < header.startFrame);
  const timeOf = (frame: number) => msOf(frame - (isBefore ? 0 : header.startFrame), rate);
  // Teletext has its own number of rows, whatever the header says.
  const rows = isTeletext(display) ? MAX_ROWS[display] : header.maxRows;
  let built: StlRow[] = [];
  const cues = shown.map((subtitle, i): Cue => {
    const { startFrame, cumulative, row } = subtitle;
    const goesOn = cumulative === 'first' || cumulative === 'intermediate';
    const goesBefore = cumulative === 'intermediate' || cumulative === 'last' ? built : [];
    built = [...goesBefore, ...subtitle.rows].slice(-MOST_BUILT);
    // A part of a cumulative set stays until the next is added to it.
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

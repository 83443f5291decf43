/** The text of a subtitle as bytes: characters and control codes (Tech 3264 §4.3, TF). */
import { defined, itemAt, lastOf } from '../../../../shared/checked-access.ts';
import type { TableWriter } from './code-tables.ts';
import { type CodeTable, decode } from './code-tables.ts';
import type { Color, DisplayStandard, StlRow, StlSpan } from './file.ts';
import { isTeletext } from './file.ts';
import { isLatinMark } from './latin-table.ts';

export const NEW_ROW = 0x8a;
export const UNUSED = 0x8f;

// Teletext, ETSI EN 300 706 §12.2: spacing attributes, each of which takes a cell.
const END_BOX = 0x0a;
const START_BOX = 0x0b;
const NORMAL_HEIGHT = 0x0c;
const DOUBLE_HEIGHT = 0x0d;
const BLACK_BACKGROUND = 0x1c;
/** Makes the current text color the background. */
const NEW_BACKGROUND = 0x1d;
const LAST_ATTRIBUTE = 0x1f;
const colors: readonly Color[] = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white'];

// Codes of open subtitling. They take no cell.
const ITALIC_ON = 0x80;
const ITALIC_OFF = 0x81;
const UNDERLINE_ON = 0x82;
const UNDERLINE_OFF = 0x83;

const TELETEXT_CELLS = 40;
/** Cells before the text: one for double height, two for the start of the box. */
const LEADING_CELLS = 3;

/** MNC, the number of characters in a row. */
export const MAX_CHARACTERS: Readonly<Record<DisplayStandard, number>> = {
  // The line width of the other subtitle formats.
  open: 42,
  level1: TELETEXT_CELLS,
  level2: TELETEXT_CELLS,
};

export const ROW_CHARACTERS: Readonly<Record<DisplayStandard, number>> = {
  open: MAX_CHARACTERS.open,
  level1: TELETEXT_CELLS - LEADING_CELLS,
  level2: TELETEXT_CELLS - LEADING_CELLS,
};

/** The bytes of rows. The table must have all characters of their texts (`TableWriter.writable`). */
export function encodeRows(rows: readonly StlRow[], display: DisplayStandard, writer: TableWriter): number[] {
  const bytes: number[] = [];
  rows.forEach((row, i) => {
    if (i > 0) {
      bytes.push(NEW_ROW);
      // A row of double height also covers the row below it.
      if (itemAt(rows, i - 1).isDoubleHeight) bytes.push(NEW_ROW);
    }
    if (isTeletext(display)) encodeTeletextRow(row, writer, bytes);
    else encodeOpenRow(row, writer, bytes);
  });
  return bytes;
}

function encodeTeletextRow(
  { spans, isDoubleHeight, isBoxed }: StlRow,
  writer: TableWriter,
  bytes: number[],
): void {
  const cells = spans.reduce((sum, { text }) => sum + text.length, 0);
  const looks = spans.map((span, i) => codesOf(span, spans[i - 1]));
  // The first code of each later span takes the place of the space before it.
  const leading = (isDoubleHeight ? 1 : 0) + looks.flat().length - (spans.length - 1) + (isBoxed ? 2 : 0);
  if (isDoubleHeight) bytes.push(DOUBLE_HEIGHT);
  spans.forEach(({ text }, i) => {
    bytes.push(...itemAt(looks, i));
    if (isBoxed && i === 0) bytes.push(START_BOX, START_BOX);
    writer.encode(i < spans.length - 1 ? withoutBlank(text) : text, bytes);
  });
  // The end of a row also closes its box. An end code is written only if there is room.
  if (isBoxed && leading + cells + 2 <= TELETEXT_CELLS) bytes.push(END_BOX, END_BOX);
}

/** The codes that begin a span. They depend on the previous span of the row. */
function codesOf({ color, background }: StlSpan, before: StlSpan | undefined): number[] {
  const isPlain = before === undefined && color === undefined && background === undefined;
  if (isPlain) return [];
  const isDarkened = background === undefined && before?.background !== undefined;
  return [
    ...(background === undefined ? [] : [colors.indexOf(background), NEW_BACKGROUND]),
    ...(isDarkened ? [BLACK_BACKGROUND] : []),
    colors.indexOf(color ?? 'white'),
  ];
}

/** Removes a space at the end, because the code of the next color takes its place. */
const withoutBlank = (text: string): string => (text.endsWith(' ') ? text.slice(0, -1) : text);

function encodeOpenRow({ spans }: StlRow, writer: TableWriter, bytes: number[]): void {
  for (const { text, isItalic, isUnderlined } of spans) {
    if (isItalic) bytes.push(ITALIC_ON);
    if (isUnderlined) bytes.push(UNDERLINE_ON);
    writer.encode(text, bytes);
    if (isUnderlined) bytes.push(UNDERLINE_OFF);
    if (isItalic) bytes.push(ITALIC_OFF);
  }
}

export type Decoding = { display: DisplayStandard; table: CodeTable; language: string };

/** Decodes the bytes of a subtitle, which may be in several parts. Rows without text are left out. */
export function decodeRows(parts: readonly Uint8Array[], decoding: Decoding): StlRow[] {
  const reader = new RowReader(decoding);
  for (const part of parts) for (let i = 0; i < part.length; i++) reader.take(itemAt(part, i));
  return reader.finish();
}

const SPACE = 0x20;

const isPrintable = (byte: number): boolean => (byte >= SPACE && byte < 0x7f) || byte >= 0xa0;

/** Reads the bytes of one subtitle. In teletext, attributes apply until the end of their row. */
class RowReader {
  readonly #decoding: Decoding;
  readonly #teletext: boolean;
  readonly #rows: StlRow[] = [];
  #row: StlRow = emptyRow();
  #bytes: number[] = [];
  #look: Omit<StlSpan, 'text'> = {};
  /** Whether the last byte was a code. In teletext, a code shows as a space. */
  #afterCode = false;

  constructor(decoding: Decoding) {
    this.#decoding = decoding;
    this.#teletext = isTeletext(decoding.display);
  }

  take(byte: number): void {
    if (byte === UNUSED) return;
    if (isPrintable(byte)) this.#character(byte);
    else if (byte === NEW_ROW || this.#isLineEnd(byte)) this.#endRow();
    else this.#code(byte);
  }

  finish(): StlRow[] {
    this.#endRow();
    return this.#rows;
  }

  /** Whether the byte is a line end of a text file. Some programs write these into open subtitles. */
  #isLineEnd(byte: number): boolean {
    return !this.#teletext && (byte === 0x0a || byte === 0x0d);
  }

  #character(byte: number): void {
    if (this.#afterCode && this.#hasText()) this.#blank();
    this.#afterCode = false;
    this.#bytes.push(byte);
  }

  #code(byte: number): void {
    if (byte === START_BOX) this.#row.isBoxed = true;
    if (byte === DOUBLE_HEIGHT) this.#row.isDoubleHeight = true;
    if (byte === NORMAL_HEIGHT) this.#row.isDoubleHeight = false;
    if (byte <= LAST_ATTRIBUTE && this.#teletext) this.#afterCode = true;
    if (byte === NEW_BACKGROUND && this.#teletext) this.#become({ background: this.#look.color ?? 'white' });
    if (byte === BLACK_BACKGROUND && this.#teletext) this.#become({ background: undefined });
    if (byte < colors.length) this.#become({ color: defined(colors[byte]) });
    if (byte === ITALIC_ON) this.#become({ isItalic: true });
    if (byte === UNDERLINE_ON) this.#become({ isUnderlined: true });
    if (byte === ITALIC_OFF) this.#become({ isItalic: undefined });
    if (byte === UNDERLINE_OFF) this.#become({ isUnderlined: undefined });
  }

  #hasText(): boolean {
    return this.#bytes.length > 0 || this.#row.spans.length > 0;
  }

  /** Adds one space for the codes between two characters. */
  #blank(): void {
    const last = this.#row.spans.at(-1);
    if (this.#bytes.length > 0) {
      if (!this.#endsBlank()) this.#bytes.push(SPACE);
    } else if (last && !last.text.endsWith(' ')) {
      last.text += ' ';
    }
  }

  /** Whether the text ends with a space. A diacritic and a space after it are one character. */
  #endsBlank(): boolean {
    const isMark = this.#decoding.table === 'latin' && isLatinMark(this.#bytes.at(-2) ?? 0);
    return this.#bytes.at(-1) === SPACE && !isMark;
  }

  #become(changes: Omit<StlSpan, 'text'>): void {
    this.#endSpan();
    this.#look = { ...this.#look, ...changes };
  }

  #endSpan(): void {
    if (this.#bytes.length === 0) return;
    const { table, language } = this.#decoding;
    this.#row.spans.push({ text: decode(this.#bytes, table, language), ...this.#look });
    this.#bytes = [];
  }

  #endRow(): void {
    this.#endSpan();
    if (textOf(this.#row).trim() !== '') this.#rows.push(trimmed(this.#row));
    this.#row = emptyRow();
    if (this.#teletext) this.#look = {};
    this.#afterCode = false;
  }
}

const emptyRow = (): StlRow => ({ spans: [], isDoubleHeight: false, isBoxed: false });

/** Removes the spaces at both ends of a row, which only position the text. */
function trimmed(row: StlRow): StlRow {
  const spans = row.spans.filter(({ text }, i) => i === 0 || text !== '');
  while (spans.length > 0 && itemAt(spans, 0).text.trim() === '') spans.shift();
  while (spans.length > 0 && lastOf(spans).text.trim() === '') spans.pop();
  itemAt(spans, 0).text = itemAt(spans, 0).text.trimStart();
  lastOf(spans).text = lastOf(spans).text.trimEnd();
  return { ...row, spans };
}

export const textOf = ({ spans }: StlRow): string => spans.map(({ text }) => text).join('');

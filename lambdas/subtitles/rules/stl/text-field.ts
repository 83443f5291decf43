/** The text of a subtitle as bytes: characters and control codes (Tech 3264 §4.3, TF). */

import type { TableWriter } from './code-tables.ts';
import { type CodeTable, decode } from './code-tables.ts';
import type { Color, DisplayStandard, StlRow, StlSpan } from './file.ts';
import { isTeletext } from './file.ts';
import { isLatinMark } from './latin-table.ts';

export const NEW_ROW = 0x8a;
/** Fills the rest of a block after the text. */
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

/** Cells in a teletext row. */
const TELETEXT_CELLS = 40;
/** Cells before the text: one for double height, two for the start of the box. */
const LEADING_CELLS = 3;

/** MNC. */
export const MAX_CHARACTERS: Readonly<Record<DisplayStandard, number>> = {
  // As wide as subtitles in the other formats.
  open: 42,
  level1: TELETEXT_CELLS,
  level2: TELETEXT_CELLS,
};

/** The number of text characters in a row. */
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
      if (rows[i - 1]!.isDoubleHeight) bytes.push(NEW_ROW);
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
  const [first, ...others] = spans;
  const looks = spans.map((span, i) => codesOf(span, spans[i - 1]));
  // The first code of each later span takes the place of the space before it.
  const leading = (isDoubleHeight ? 1 : 0) + looks.flat().length - others.length + (isBoxed ? 2 : 0);
  if (isDoubleHeight) bytes.push(DOUBLE_HEIGHT);
  bytes.push(...(looks[0] ?? []));
  if (isBoxed) bytes.push(START_BOX, START_BOX);
  if (first) writer.encode(others.length > 0 ? withoutBlank(first.text) : first.text, bytes);
  others.forEach(({ text }, i) => {
    bytes.push(...looks[i + 1]!);
    writer.encode(i < others.length - 1 ? withoutBlank(text) : text, bytes);
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

/** The code of the next color takes the place of the space. */
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
  for (const part of parts) for (let i = 0; i < part.length; i++) reader.take(part[i]!);
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

  /** Some programs write the line ends of text files into open subtitles. */
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
    if (byte === NEW_BACKGROUND && this.#teletext)
      this.#become({ ...this.#look, background: this.#look.color ?? 'white' });
    if (byte === BLACK_BACKGROUND && this.#teletext) this.#become(without(this.#look, 'background'));
    if (byte < colors.length) this.#become({ ...this.#look, color: colors[byte]! });
    if (byte === ITALIC_ON) this.#become({ ...this.#look, isItalic: true });
    if (byte === UNDERLINE_ON) this.#become({ ...this.#look, isUnderlined: true });
    if (byte === ITALIC_OFF) this.#become(without(this.#look, 'isItalic'));
    if (byte === UNDERLINE_OFF) this.#become(without(this.#look, 'isUnderlined'));
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

  /** A diacritic before a space is a character of its own. */
  #endsBlank(): boolean {
    const isMark = this.#decoding.table === 'latin' && isLatinMark(this.#bytes.at(-2) ?? 0);
    return this.#bytes.at(-1) === SPACE && !isMark;
  }

  #become(look: Omit<StlSpan, 'text'>): void {
    this.#endSpan();
    this.#look = look;
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

const without = <Name extends string>(look: object, name: Name) => {
  const { [name]: _, ...kept } = look as Record<string, unknown>;
  return kept;
};

/** Removes the spaces at both ends of a row, which only position the text. */
function trimmed(row: StlRow): StlRow {
  const spans = row.spans.filter(({ text }, i) => i === 0 || text !== '');
  while (spans.length > 0 && spans[0]!.text.trim() === '') spans.shift();
  while (spans.length > 0 && spans.at(-1)!.text.trim() === '') spans.pop();
  spans[0]!.text = spans[0]!.text.trimStart();
  spans.at(-1)!.text = spans.at(-1)!.text.trimEnd();
  return { ...row, spans };
}

/** The text of a row. */
export const textOf = ({ spans }: StlRow): string => spans.map(({ text }) => text).join('');

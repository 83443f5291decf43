/** The text of a subtitle as bytes: characters, and the control codes between them (Tech 3264 §4.3, TF). */

import type { TableWriter } from './code-tables.ts';
import { type CodeTable, decode } from './code-tables.ts';
import type { Colour, DisplayStandard, StlRow, StlSpan } from './file.ts';
import { isTeletext } from './file.ts';
import { isLatinMark } from './latin-table.ts';

export const NEW_ROW = 0x8a;
/** Fills what text leaves of a block. */
export const UNUSED = 0x8f;

// Teletext, ETSI EN 300 706 §12.2: spacing attributes, each in a cell of its own.
const END_BOX = 0x0a;
const START_BOX = 0x0b;
const NORMAL_HEIGHT = 0x0c;
const DOUBLE_HEIGHT = 0x0d;
const BLACK_BACKGROUND = 0x1c;
/** The background is the colour of the text so far. */
const NEW_BACKGROUND = 0x1d;
const LAST_ATTRIBUTE = 0x1f;
const colours: readonly Colour[] = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white'];

// Open subtitling: they take no room.
const ITALIC_ON = 0x80;
const ITALIC_OFF = 0x81;
const UNDERLINE_ON = 0x82;
const UNDERLINE_OFF = 0x83;

/** Cells of a row of teletext. */
const TELETEXT_CELLS = 40;
/** Double height, and the two codes that a box begins with. */
const LEADING_CELLS = 3;

/** MNC. */
export const MAX_CHARACTERS: Readonly<Record<DisplayStandard, number>> = {
  // As many as our other subtitles have.
  open: 42,
  level1: TELETEXT_CELLS,
  level2: TELETEXT_CELLS,
};

/** How many characters of text a row holds. */
export const ROW_CHARACTERS: Readonly<Record<DisplayStandard, number>> = {
  open: MAX_CHARACTERS.open,
  level1: TELETEXT_CELLS - LEADING_CELLS,
  level2: TELETEXT_CELLS - LEADING_CELLS,
};

/** The bytes of rows. Their texts are of characters that the table has (`TableWriter.writable`). */
export function encodeRows(rows: readonly StlRow[], display: DisplayStandard, writer: TableWriter): number[] {
  const bytes: number[] = [];
  rows.forEach((row, i) => {
    if (i > 0) {
      bytes.push(NEW_ROW);
      // A row of double height covers the one below it too.
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
  // A blank before each later span is the first of its codes.
  const leading = (isDoubleHeight ? 1 : 0) + looks.flat().length - others.length + (isBoxed ? 2 : 0);
  if (isDoubleHeight) bytes.push(DOUBLE_HEIGHT);
  bytes.push(...(looks[0] ?? []));
  if (isBoxed) bytes.push(START_BOX, START_BOX);
  if (first) writer.encode(others.length > 0 ? withoutBlank(first.text) : first.text, bytes);
  others.forEach(({ text }, i) => {
    bytes.push(...looks[i + 1]!);
    writer.encode(i < others.length - 1 ? withoutBlank(text) : text, bytes);
  });
  // A box ends with its row; where there is room it is ended before.
  if (isBoxed && leading + cells + 2 <= TELETEXT_CELLS) bytes.push(END_BOX, END_BOX);
}

/** What a span is begun with, after the one before it in its row. */
function codesOf({ colour, background }: StlSpan, before: StlSpan | undefined): number[] {
  const isPlain = before === undefined && colour === undefined && background === undefined;
  if (isPlain) return [];
  const isDarkened = background === undefined && before?.background !== undefined;
  return [
    ...(background === undefined ? [] : [colours.indexOf(background), NEW_BACKGROUND]),
    ...(isDarkened ? [BLACK_BACKGROUND] : []),
    colours.indexOf(colour ?? 'white'),
  ];
}

/** The code of the next colour stands in its place. */
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

/** The rows of bytes, which may come in parts; rows without any text are left out. */
export function decodeRows(parts: readonly Uint8Array[], decoding: Decoding): StlRow[] {
  const reader = new RowReader(decoding);
  for (const part of parts) for (let i = 0; i < part.length; i++) reader.take(part[i]!);
  return reader.finish();
}

const SPACE = 0x20;

const isPrintable = (byte: number): boolean => (byte >= SPACE && byte < 0x7f) || byte >= 0xa0;

/** Goes through the bytes of one subtitle. In teletext attributes hold to the end of their row. */
class RowReader {
  readonly #decoding: Decoding;
  readonly #teletext: boolean;
  readonly #rows: StlRow[] = [];
  #row: StlRow = emptyRow();
  #bytes: number[] = [];
  #look: Omit<StlSpan, 'text'> = {};
  /** Whether a code was met since the last character: in teletext it shows as a blank. */
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

  /** Open subtitles of some makers have the line ends of text files. */
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
      this.#become({ ...this.#look, background: this.#look.colour ?? 'white' });
    if (byte === BLACK_BACKGROUND && this.#teletext) this.#become(without(this.#look, 'background'));
    if (byte < colours.length) this.#become({ ...this.#look, colour: colours[byte]! });
    if (byte === ITALIC_ON) this.#become({ ...this.#look, isItalic: true });
    if (byte === UNDERLINE_ON) this.#become({ ...this.#look, isUnderlined: true });
    if (byte === ITALIC_OFF) this.#become(without(this.#look, 'isItalic'));
    if (byte === UNDERLINE_OFF) this.#become(without(this.#look, 'isUnderlined'));
  }

  #hasText(): boolean {
    return this.#bytes.length > 0 || this.#row.spans.length > 0;
  }

  /** What codes show between two characters, however many they are. */
  #blank(): void {
    const last = this.#row.spans.at(-1);
    if (this.#bytes.length > 0) {
      if (!this.#endsBlank()) this.#bytes.push(SPACE);
    } else if (last && !last.text.endsWith(' ')) {
      last.text += ' ';
    }
  }

  /** A space after a mark is that mark alone. */
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

/** Blanks put text where it stands; who reads the row wants none at its ends. */
function trimmed(row: StlRow): StlRow {
  const spans = row.spans.filter(({ text }, i) => i === 0 || text !== '');
  while (spans.length > 0 && spans[0]!.text.trim() === '') spans.shift();
  while (spans.length > 0 && spans.at(-1)!.text.trim() === '') spans.pop();
  spans[0]!.text = spans[0]!.text.trimStart();
  spans.at(-1)!.text = spans.at(-1)!.text.trimEnd();
  return { ...row, spans };
}

/** What a row says. */
export const textOf = ({ spans }: StlRow): string => spans.map(({ text }) => text).join('');

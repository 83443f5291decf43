/** The code tables for the text of subtitles (Tech 3264 §4.2, CCT), and conversion to and from them. */
import { defined, itemAt } from '../../../../shared/checked-access.ts';
import { primaryTag } from './languages.ts';
import { fromLatin, latinBytes } from './latin-table.ts';
import { substituteFor } from './substitutes.ts';

export type CodeTable = 'latin' | 'cyrillic' | 'arabic' | 'greek' | 'hebrew';

/** The CCT number of each table. The upper half of every table except Latin is a part of ISO 8859. */
export const codeTables: Readonly<Record<CodeTable, { readonly number: string; readonly iso8859?: string }>> =
  {
    latin: { number: '00' },
    cyrillic: { number: '01', iso8859: 'iso-8859-5' },
    arabic: { number: '02', iso8859: 'iso-8859-6' },
    greek: { number: '03', iso8859: 'iso-8859-7' },
    hebrew: { number: '04', iso8859: 'iso-8859-8' },
  };

export type Replaced = { character: string; written: string; count: number };

// The code tables by primary language subtag. Languages of other scripts are missing. Languages are also missing if the
// table of their script lacks some of their letters: Persian and Urdu (Arabic), Kazakh (Cyrillic), Vietnamese (Latin).
const languagesOf: Readonly<Record<CodeTable, string>> = {
  latin:
    'af br ca cs cy da de en eo es et eu fi fo fr fy ga gd gl hr hu id is it la lb lt lv ms mt nb nl nn no oc pl pt rm ro se sk sl sq sr sv sw tl tr wa',
  cyrillic: 'be bg mk ru sr uk',
  arabic: 'ar',
  greek: 'el',
  hebrew: 'he yi',
};

/**
 * The code table for texts in a language (BCP 47). If several tables have the letters of the language, the function
 * picks the table that lacks the fewest characters of the texts. Null if no table has the letters. Without a language,
 * only the characters of the texts decide.
 */
export function codeTableFor(language: string | undefined, texts: Iterable<string>): CodeTable | null {
  const tables = Object.keys(codeTables) as CodeTable[];
  const tag = primaryTag(language ?? '');
  const candidates =
    tag === '' ? tables : tables.filter((table) => languagesOf[table].split(' ').includes(tag));
  if (candidates.length < 2) return candidates[0] ?? null;
  const counts = countedCharacters(texts);
  const lacking = candidates.map((table) => {
    const bytes = bytesOf(table);
    return [...counts].reduce((sum, [character, count]) => sum + (bytes.has(character) ? 0 : count), 0);
  });
  return defined(candidates[lacking.indexOf(Math.min(...lacking))]);
}

function countedCharacters(texts: Iterable<string>): Map<string, number> {
  const counts = new Map<string, number>();
  for (const text of texts) {
    for (const character of text.normalize('NFC')) counts.set(character, (counts.get(character) ?? 0) + 1);
  }
  return counts;
}

// Excludes the dollar sign, because table 00 has a different sign at that code.
const ASCII_ONLY = /^[\n -#%-~]*$/;
const LINE_FEED = 0x0a;
const BLANK = 0x20;
const DOLLAR = 0x24;
const DELETE = 0x7f;
const SPACE = /^\s$/;
/** Control characters, and marks of direction, joining and variants. They are invisible. */
const UNSEEN = /^[\p{Cc}\p{Cf}\p{Variation_Selector}]$/u;
/** Used if a character has no look-alike. */
const unknown = '?';

/** Whether a question mark replaced the character, because it has no look-alike. */
export const isLost = ({ character, written }: Replaced): boolean =>
  written === unknown && !LIKE_UNKNOWN.test(character);

/** Question marks of other scripts. */
const LIKE_UNKNOWN = /^[؟？﹖⁇‽¿;;❓❔]$/u;

/** Writes texts in one code table, and records the characters that it replaced. */
export class TableWriter {
  readonly #bytes: ReadonlyMap<string, readonly number[]>;
  readonly #replaced = new Map<string, Replaced>();

  constructor(table: CodeTable) {
    this.#bytes = bytesOf(table);
  }

  /** The replaced characters, in the order of their first use. */
  get replaced(): Replaced[] {
    return [...this.#replaced.values()];
  }

  /** Replaces the characters that the table lacks. Each character of the result takes one cell. Line feeds stay. */
  writable(text: string): string {
    const composed = ASCII_ONLY.test(text) ? text : text.normalize('NFC');
    if (composed === text && this.#has(text)) return text;
    let writable = '';
    for (const character of composed) {
      if (character === '\n' || this.#bytes.has(character)) {
        writable += character;
        continue;
      }
      const seen = this.#replaced.get(character);
      const written = seen?.written ?? this.#substitute(character);
      writable += written;
      if (seen) seen.count++;
      else if (!SPACE.test(character) && !UNSEEN.test(character))
        this.#replaced.set(character, { character, written, count: 1 });
    }
    return writable;
  }

  /** Appends the bytes of a text. The table must have all characters of the text; each of them is one UTF-16 unit. */
  encode(writable: string, into: number[]): void {
    for (let i = 0; i < writable.length; i++) {
      const code = writable.charCodeAt(i);
      if (code < DELETE && code !== DOLLAR) into.push(code);
      else into.push(...defined(this.#bytes.get(itemAt(writable, i))));
    }
  }

  #has(text: string): boolean {
    for (let i = 0; i < text.length; i++) {
      const code = text.charCodeAt(i);
      const isKnown =
        (code < DELETE && (code >= BLANK || code === LINE_FEED)) || this.#bytes.has(itemAt(text, i));
      if (!isKnown) return false;
    }
    return true;
  }

  #substitute(character: string): string {
    if (SPACE.test(character)) return ' ';
    if (UNSEEN.test(character)) return '';
    let candidate = character;
    // The table may lack the look-alike too, so it is replaced again: ♫ becomes ♪, then *.
    for (let steps = 0; steps < 3; steps++) {
      const next = [...candidate]
        .map((each) => (this.#bytes.has(each) ? each : substituteFor(each)))
        .join('');
      if ([...next].every((each) => this.#bytes.has(each))) return next;
      candidate = next;
    }
    return unknown;
  }
}

/** The text of printable bytes. Unknown bytes become U+FFFD. @param language BCP 47 tag, if it is known */
export function decode(bytes: readonly number[], table: CodeTable, language?: string): string {
  if (table === 'latin') return fromLatin(bytes, language);
  const upper = upperHalf(table);
  let text = '';
  for (const byte of bytes)
    text += byte < 0x80 ? String.fromCharCode(byte) : (upper[byte - 0xa0] ?? '\ufffd');
  return text;
}

/** Characters that were added to ISO 8859-7 after 1987, and invisible characters. The writer never uses them. */
const NOT_WRITTEN = /[€₯ͺ\u00ad\u200e\u200f\ufffd\u00a0]/;

const known = new Map<CodeTable, ReadonlyMap<string, readonly number[]>>();

function bytesOf(table: CodeTable): ReadonlyMap<string, readonly number[]> {
  let bytes = known.get(table);
  if (!bytes) {
    bytes = new Map([...ascii(table), ...(table === 'latin' ? latinBytes() : iso8859Bytes(table))]);
    known.set(table, bytes);
  }
  return bytes;
}

function ascii(table: CodeTable): [string, readonly number[]][] {
  const codes = Array.from({ length: 95 }, (_, i) => 0x20 + i);
  return codes
    .filter((code) => table !== 'latin' || code !== DOLLAR)
    .map((code) => [String.fromCharCode(code), [code]]);
}

const iso8859Bytes = (table: CodeTable): [string, readonly number[]][] =>
  upperHalf(table)
    .map((character, i): [string, readonly number[]] => [character, [0xa0 + i]])
    .filter(([character]) => !NOT_WRITTEN.test(character));

const halves = new Map<CodeTable, string[]>();

/**
 * The characters of A0h to FFh in a part of ISO 8859, from the Encoding Standard. U+FFFD for a byte without a
 * character.
 */
function upperHalf(table: CodeTable): string[] {
  let half = halves.get(table);
  if (!half) {
    const bytes = Uint8Array.from({ length: 0x60 }, (_, i) => 0xa0 + i);
    half = [...new TextDecoder(codeTables[table].iso8859).decode(bytes)];
    halves.set(table, half);
  }
  return half;
}

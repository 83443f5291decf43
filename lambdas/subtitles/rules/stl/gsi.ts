/** The General Subtitle Information block: the first 1,024 bytes of a file (Tech 3264 §4.2). */

import { type CodePage, decodeCodePage, encodeInCodePage, isCodePage } from './code-pages.ts';
import { type CodeTable, codeTables } from './code-tables.ts';
import type { DisplayStandard, StlHeader, StlProblem } from './file.ts';
import { StlError } from './file.ts';
import { languageCode, languageOfCode } from './languages.ts';
import { framesAt, isTimeCode, timeCodeOf } from './time-codes.ts';

export const GSI_BYTES = 1024;

/** The start and the length of each field, bytes. */
const fields = {
  CPN: [0, 3],
  DFC: [3, 8],
  DSC: [11, 1],
  CCT: [12, 2],
  LC: [14, 2],
  OPT: [16, 32],
  OET: [48, 32],
  TPT: [80, 32],
  TET: [112, 32],
  TN: [144, 32],
  TCD: [176, 32],
  SLR: [208, 16],
  CD: [224, 6],
  RD: [230, 6],
  RN: [236, 2],
  TNB: [238, 5],
  TNS: [243, 5],
  TNG: [248, 3],
  MNC: [251, 2],
  MNR: [253, 2],
  TCS: [255, 1],
  TCP: [256, 8],
  TCF: [264, 8],
  TND: [272, 1],
  DSN: [273, 1],
  CO: [274, 3],
  PUB: [277, 32],
  EN: [309, 32],
  ECD: [341, 32],
} as const satisfies Record<string, readonly [number, number]>;

type Field = keyof typeof fields;

/** The text fields, by their names in `StlHeader`. */
const textFields = {
  originalTitle: 'OPT',
  originalEpisode: 'OET',
  translatedTitle: 'TPT',
  translatedEpisode: 'TET',
  translator: 'TN',
  translatorContact: 'TCD',
  reference: 'SLR',
  country: 'CO',
  publisher: 'PUB',
  editor: 'EN',
  editorContact: 'ECD',
} as const satisfies Partial<Record<keyof StlHeader, Field>>;

type TextMember = keyof typeof textFields;

const texts = Object.entries(textFields) as [TextMember, Field][];

const displayCodes: Readonly<Record<DisplayStandard, string>> = { open: '0', level1: '1', level2: '2' };

/** The header's facts about the blocks after it. */
export type Counts = {
  /** TTI blocks. */
  blocks: number;
  subtitles: number;
  groups: number;
  /** TCF: frames since midnight. */
  firstFrame: number;
};

export const MAX_BLOCKS = 99_999;

/** Writes the block. Texts that are longer than their fields are cut. Throws `too_many_blocks`. */
export function writeGsi(header: StlHeader, counts: Counts): Uint8Array {
  if (counts.blocks > MAX_BLOCKS) {
    throw new StlError(
      'too_many_blocks',
      `The subtitles take ${counts.blocks} blocks. A file holds at most ${MAX_BLOCKS}.`,
    );
  }
  const block = new Uint8Array(GSI_BYTES).fill(SPACE);
  const { framesPerSecond: rate } = header;
  const put = (field: Field, text: string) => putText(block, field, text, header.codePage);
  const timeCode = (frames: number) =>
    timeCodeOf(frames, rate)
      .map((part) => digits(part, 2))
      .join('');
  put('CPN', header.codePage);
  put('DFC', `STL${digits(rate, 2)}.01`);
  put('DSC', displayCodes[header.display]);
  put('CCT', codeTables[header.codeTable].number);
  put('LC', languageCode(header.language));
  for (const [member, field] of texts) put(field, header[member]);
  put('CD', compactDate(header.created));
  put('RD', compactDate(header.revised));
  put('RN', digits(header.revision, 2));
  put('TNB', digits(counts.blocks, 5));
  put('TNS', digits(counts.subtitles, 5));
  put('TNG', digits(counts.groups, 3));
  put('MNC', digits(header.maxCharacters, 2));
  put('MNR', digits(header.maxRows, 2));
  // TCS: the time codes are meant to be used.
  put('TCS', '1');
  put('TCP', timeCode(header.startFrame));
  put('TCF', timeCode(counts.firstFrame));
  // There is one disk, and this is the first.
  put('TND', '1');
  put('DSN', '1');
  return block;
}

const SPACE = 0x20;

function putText(block: Uint8Array, field: Field, text: string, page: CodePage): void {
  const [start, length] = fields[field];
  block.set(encodeInCodePage(text, page).slice(0, length), start);
}

const digits = (value: number, count: number): string =>
  String(Math.min(value, 10 ** count - 1)).padStart(count, '0');

/** `YYMMDD`. */
const compactDate = (date: string): string => date.replaceAll('-', '').slice(2);

/**
 * Reads the block. A missing or invalid value is replaced with the usual value, and a problem is added. Throws
 * `too_short` and `not_stl`.
 */
export function readGsi(file: Uint8Array): {
  header: StlHeader;
  declaredBlocks: number | null;
  problems: StlProblem[];
} {
  if (file.length < GSI_BYTES) {
    throw new StlError(
      'too_short',
      `The file has ${file.length} bytes. Its header alone takes ${GSI_BYTES}.`,
      file.length,
    );
  }
  const reader = new GsiReader(file);
  const header = reader.header();
  return { header, declaredBlocks: reader.number('TNB'), problems: reader.problems };
}

class GsiReader {
  readonly problems: StlProblem[] = [];
  readonly #file: Uint8Array;

  constructor(file: Uint8Array) {
    this.#file = file;
  }

  header(): StlHeader {
    const framesPerSecond = this.#rate();
    const codePage = this.#codePage();
    const named = texts.map(([member, field]) => [member, this.#text(field, codePage).trim()]);
    return {
      codePage,
      framesPerSecond,
      display: this.#display(),
      codeTable: this.#codeTable(),
      language: languageOfCode(this.#text('LC')),
      ...(Object.fromEntries(named) as Record<TextMember, string>),
      created: dateOf(this.#text('CD')),
      revised: dateOf(this.#text('RD')),
      revision: this.number('RN') ?? 0,
      maxCharacters: this.number('MNC') ?? 0,
      maxRows: this.number('MNR') ?? 0,
      startFrame: this.#startFrame(framesPerSecond),
    };
  }

  /** The number in a field. Null if the field contains no number. */
  number(field: Field): number | null {
    const text = this.#text(field).trim();
    return /^\d+$/.test(text) ? Number(text) : null;
  }

  #text(field: Field, page: CodePage = '850'): string {
    const [start, length] = fields[field];
    return decodeCodePage(this.#file.subarray(start, start + length), page);
  }

  #note(field: Field, message: string): void {
    this.problems.push({ offset: fields[field][0], message: `${field}: ${message}` });
  }

  #rate(): number {
    const text = this.#text('DFC');
    if (!/^STL/i.test(text)) {
      throw new StlError(
        'not_stl',
        `Bytes 3 to 10 are ${JSON.stringify(text)}. An EBU STL file has a disk format code there, like STL25.01.`,
        3,
      );
    }
    const rate = Number(/^STL(\d\d)/i.exec(text)?.[1] ?? 0);
    if (rate === 0) {
      this.#note('DFC', `${JSON.stringify(text)} has no frame rate. Read as 25 frames a second.`);
      return 25;
    }
    if (rate !== 25 && rate !== 30) this.#note('DFC', `The standard does not have ${rate} frames a second.`);
    return rate;
  }

  #codePage(): CodePage {
    const text = this.#text('CPN');
    if (isCodePage(text)) return text;
    this.#note('CPN', `Unknown code page ${JSON.stringify(text)}. Read as 850.`);
    return '850';
  }

  #display(): DisplayStandard {
    const text = this.#text('DSC');
    const found = (Object.keys(displayCodes) as DisplayStandard[]).find(
      (each) => displayCodes[each] === text,
    );
    // A blank means "undefined", which the standard allows.
    if (found === undefined && text !== '') {
      this.#note('DSC', `Unknown display standard ${JSON.stringify(text)}. Read as open subtitling.`);
    }
    return found ?? 'open';
  }

  #codeTable(): CodeTable {
    const text = this.#text('CCT').trim().padStart(2, '0');
    const found = (Object.keys(codeTables) as CodeTable[]).find((each) => codeTables[each].number === text);
    if (found === undefined) this.#note('CCT', `Unknown code table ${text}. Read as Latin.`);
    return found ?? 'latin';
  }

  #startFrame(rate: number): number {
    const text = this.#text('TCP');
    const parts = (text.match(/\d\d/g) ?? []).map(Number) as [number, number, number, number];
    const isSound = /^\d{8}$/.test(text) && isTimeCode(parts, rate);
    if (isSound) return framesAt(parts, rate);
    if (text !== '') this.#note('TCP', `${JSON.stringify(text)} is not a time code. Read as 00000000.`);
    return 0;
  }
}

/** Years from 80 are in the 20th century: the format is from 1991. */
function dateOf(text: string): string {
  const found = /^(\d\d)(\d\d)(\d\d)$/.exec(text);
  if (!found || found[0] === '000000') return '';
  const [, year, month, day] = found;
  return `${Number(year) < 80 ? 20 : 19}${year}-${month}-${day}`;
}

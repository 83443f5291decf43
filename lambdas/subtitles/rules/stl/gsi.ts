/** The General Subtitle Information block: the first 1,024 bytes of a file (Tech 3264 §4.2). */
import { type CodePage, decodeCodePage, encodeInCodePage, isCodePage } from './code-pages.ts';
import { type CodeTable, codeTables } from './code-tables.ts';
import {
  type DisplayStandard,
  type HeaderTexts,
  StlError,
  type StlHeader,
  type StlProblem,
  textFields,
} from './file.ts';
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

const texts = Object.entries(textFields) as [keyof HeaderTexts, Field][];

const displayCodes: Readonly<Record<DisplayStandard, string>> = { open: '0', level1: '1', level2: '2' };

/** The statements of the header about the blocks after it. */
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
  // TCS: programs should use the time codes.
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
  const problems: StlProblem[] = [];
  const note: Note = (field, message) => {
    problems.push({ offset: fields[field][0], message: `${field}: ${message}` });
  };
  const textOf = (field: Field, page: CodePage = '850') => {
    const [start, length] = fields[field];
    return decodeCodePage(file.subarray(start, start + length), page);
  };
  /** Null if the field contains no number. */
  const numberOf = (field: Field) => {
    const text = textOf(field).trim();
    return /^\d+$/.test(text) ? Number(text) : null;
  };
  const framesPerSecond = rateOf(textOf('DFC'), note);
  const codePage = codePageOf(textOf('CPN'), note);
  const named = texts.map(([member, field]) => [member, textOf(field, codePage).trim()]);
  const header = {
    codePage,
    framesPerSecond,
    display: displayOf(textOf('DSC'), note),
    codeTable: codeTableOf(textOf('CCT').trim().padStart(2, '0'), note),
    language: languageOfCode(textOf('LC')),
    ...(Object.fromEntries(named) as HeaderTexts),
    created: dateOf(textOf('CD')),
    revised: dateOf(textOf('RD')),
    revision: numberOf('RN') ?? 0,
    maxCharacters: numberOf('MNC') ?? 0,
    maxRows: numberOf('MNR') ?? 0,
    startFrame: startFrameOf(textOf('TCP'), framesPerSecond, note),
  };
  return { header, declaredBlocks: numberOf('TNB'), problems };
}

type Note = (field: Field, message: string) => void;

function rateOf(text: string, note: Note): number {
  if (!/^STL/i.test(text)) {
    throw new StlError(
      'not_stl',
      `Bytes 3 to 10 are ${JSON.stringify(text)}. An EBU STL file has a disk format code there, like STL25.01.`,
      3,
    );
  }
  const rate = Number(/^STL(\d\d)/i.exec(text)?.[1] ?? 0);
  if (rate === 0) {
    note('DFC', `${JSON.stringify(text)} has no frame rate. Read as 25 frames a second.`);
    return 25;
  }
  if (rate !== 25 && rate !== 30) note('DFC', `The standard does not have ${rate} frames a second.`);
  return rate;
}

function codePageOf(text: string, note: Note): CodePage {
  if (isCodePage(text)) return text;
  note('CPN', `Unknown code page ${JSON.stringify(text)}. Read as 850.`);
  return '850';
}

function displayOf(text: string, note: Note): DisplayStandard {
  const displays = Object.keys(displayCodes) as DisplayStandard[];
  const found = displays.find((each) => displayCodes[each] === text);
  // A blank means "undefined", which the standard allows.
  if (found === undefined && text !== '')
    note('DSC', `Unknown display standard ${JSON.stringify(text)}. Read as open subtitling.`);
  return found ?? 'open';
}

function codeTableOf(text: string, note: Note): CodeTable {
  const found = (Object.keys(codeTables) as CodeTable[]).find((each) => codeTables[each].number === text);
  if (found === undefined) note('CCT', `Unknown code table ${text}. Read as Latin.`);
  return found ?? 'latin';
}

function startFrameOf(text: string, rate: number, note: Note): number {
  const parts = (text.match(/\d\d/g) ?? []).map(Number) as [number, number, number, number];
  if (/^\d{8}$/.test(text) && isTimeCode(parts, rate)) return framesAt(parts, rate);
  if (text !== '') note('TCP', `${JSON.stringify(text)} is not a time code. Read as 00000000.`);
  return 0;
}

/** Years from 80 are in the 20th century: the format is from 1991. */
function dateOf(text: string): string {
  const found = /^(\d\d)(\d\d)(\d\d)$/.exec(text);
  if (!found || found[0] === '000000') return '';
  const [, year, month, day] = found;
  return `${Number(year) < 80 ? 20 : 19}${year}-${month}-${day}`;
}

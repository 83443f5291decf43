/** Writes and reads EBU STL (EBU Tech 3264-E, Subtitling data exchange format, February 1991). */
import type { Cue } from './cue.ts';
import { codePageFor } from './stl/code-pages.ts';
import { codeTableFor, type Replaced, TableWriter } from './stl/code-tables.ts';
import { MAX_ROWS, subtitlesOf } from './stl/convert-cues.ts';
import { type DisplayStandard, type HeaderTexts, type StlFile, textFields } from './stl/file.ts';
import { GSI_BYTES, writeGsi } from './stl/gsi.ts';
import { encodeRows, MAX_CHARACTERS } from './stl/text-field.ts';
import { TTI_BYTES, ttiBlocks } from './stl/tti.ts';

export { codeTableFor, isLost, type Replaced, TableWriter } from './stl/code-tables.ts';
export { cuesFromStl, hasSpeakerColors, stlLimits } from './stl/convert-cues.ts';
export { type DisplayStandard, StlError } from './stl/file.ts';
export { unifyLatinLookalikes } from './stl/latin-table.ts';
export { readStl } from './stl/read-stl.ts';
export { parsedTimeCode, startFrameOfMedia, stlRateOf } from './stl/time-codes.ts';

export type StlOptions = {
  display: DisplayStandard;
  framesPerSecond: 25 | 30;
  /** The time of the program's first picture, in frames since midnight. It is added to the times of cues. */
  startFrame: number;
  /** BCP 47 tag of the text. */
  language?: string | undefined;
  title: string;
  /** The exchange partners' name for the file. The header has room for its first 16 characters. */
  reference: string;
  /** Both dates are `YYYY-MM-DD`. */
  created: string;
  revised: string;
  /** The number of the revision. The header has two digits, so at most 99 is written. */
  revision: number;
};

export type StlText = { file: Uint8Array<ArrayBuffer>; replaced: Replaced[] };

/**
 * Writes an STL file of cues. The caller should make the cues with `stlLimits()`. Null if no code table has the letters
 * of the language. Throws an StlError if there are too many cues for a file.
 */
export function stlFromCues(cues: readonly Cue[], options: StlOptions): StlText | null {
  const { display, framesPerSecond, startFrame, language, title, reference } = options;
  const { created, revised, revision } = options;
  const codeTable = codeTableFor(language, linesOf(cues));
  if (codeTable === null) return null;
  const { subtitles, replaced } = subtitlesOf(cues, {
    ...{ display, codeTable, framesPerSecond, startFrame, language },
  });
  const header = {
    codePage: codePageFor(title + reference),
    framesPerSecond,
    display,
    codeTable,
    language: language ?? '',
    ...{ ...noTexts, originalTitle: title, translatedTitle: title, reference },
    ...{ created, revised, revision },
    maxCharacters: MAX_CHARACTERS[display],
    maxRows: MAX_ROWS[display],
    startFrame,
  };
  return { file: writeStl({ header, subtitles }), replaced };
}

const noTexts = Object.fromEntries(Object.keys(textFields).map((name) => [name, ''])) as HeaderTexts;

function* linesOf(cues: readonly Cue[]): Iterable<string> {
  for (const { lines } of cues) yield* lines;
}

/** Writes a file. The header's code table must have all characters of the texts. Throws `too_many_blocks`. */
export function writeStl({ header, subtitles }: StlFile): Uint8Array<ArrayBuffer> {
  const table = new TableWriter(header.codeTable);
  const blocks = subtitles.flatMap((subtitle) =>
    ttiBlocks(subtitle, encodeRows(subtitle.rows, header.display, table), header),
  );
  const shown = subtitles.filter(({ isComment }) => !isComment);
  const gsi = writeGsi(header, {
    blocks: blocks.length,
    subtitles: shown.length,
    groups: new Set(subtitles.map(({ group }) => group)).size,
    firstFrame: (shown[0] ?? header).startFrame,
  });
  const file = new Uint8Array(GSI_BYTES + blocks.length * TTI_BYTES);
  file.set(gsi);
  blocks.forEach((block, nth) => {
    file.set(block, GSI_BYTES + nth * TTI_BYTES);
  });
  return file;
}

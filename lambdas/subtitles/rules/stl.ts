/** Writes and reads EBU STL (EBU Tech 3264-E, Subtitling data exchange format, February 1991). */

import type { Cue } from './cue.ts';
import { codePageFor } from './stl/code-pages.ts';
import { codeTableFor, type Replaced } from './stl/code-tables.ts';
import { MAX_ROWS, subtitlesOf } from './stl/convert-cues.ts';
import type { DisplayStandard } from './stl/file.ts';
import { MAX_CHARACTERS } from './stl/text-field.ts';
import { writeStl } from './stl/write-stl.ts';

export { codeTableFor, isLost, type Replaced, TableWriter } from './stl/code-tables.ts';
export { cuesFromStl, hasSpeakerColors, stlLimits } from './stl/convert-cues.ts';
export { type DisplayStandard, StlError } from './stl/file.ts';
export { unifyLatinLookalikes } from './stl/latin-table.ts';
export { readStl } from './stl/read-stl.ts';
export { parsedTimeCode, startFrameOfMedia, stlRateOf } from './stl/time-codes.ts';

export type StlOptions = {
  display: DisplayStandard;
  framesPerSecond: 25 | 30;
  /** The program's first picture, in frames since midnight. It is added to the times of cues. */
  startFrame: number;
  /** BCP 47 tag of the text. */
  language?: string;
  /** The title of the program. */
  title: string;
  /** The exchange partners' name for the file. The header has room for its first 16 characters. */
  reference: string;
  /** `YYYY-MM-DD`. */
  created: string;
  revised: string;
  /** The header has two digits for it, so at most 99 is written. */
  revision: number;
};

/** A file, and the characters that its code table lacks. */
export type StlText = { file: Uint8Array<ArrayBuffer>; replaced: Replaced[] };

/**
 * Writes an STL file of cues. The caller should make the cues with `stlLimits()`. Null if no code table has the letters
 * of the language. Throws an StlError if there are too many cues for a file.
 */
export function stlFromCues(cues: readonly Cue[], options: StlOptions): StlText | null {
  const { display, framesPerSecond, startFrame, language, title, reference } = options;
  const codeTable = codeTableFor(language, linesOf(cues));
  if (codeTable === null) return null;
  const { subtitles, replaced } = subtitlesOf(cues, {
    display,
    codeTable,
    framesPerSecond,
    startFrame,
    ...(language !== undefined && { language }),
  });
  const header = {
    codePage: codePageFor(title + reference),
    framesPerSecond,
    display,
    codeTable,
    language: language ?? '',
    originalTitle: title,
    originalEpisode: '',
    translatedTitle: title,
    translatedEpisode: '',
    translator: '',
    translatorContact: '',
    reference,
    created: options.created,
    revised: options.revised,
    revision: options.revision,
    maxCharacters: MAX_CHARACTERS[display],
    maxRows: MAX_ROWS[display],
    startFrame,
    country: '',
    publisher: '',
    editor: '',
    editorContact: '',
  };
  return { file: writeStl({ header, subtitles }), replaced };
}

function* linesOf(cues: readonly Cue[]): Iterable<string> {
  for (const { lines } of cues) yield* lines;
}

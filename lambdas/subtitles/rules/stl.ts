/** Writes and reads EBU STL (EBU Tech 3264-E, Subtitling data exchange format, February 1991). */

import type { Cue } from './cue.ts';
import { codePageFor } from './stl/code-pages.ts';
import { codeTableFor, type Replaced } from './stl/code-tables.ts';
import { MAX_ROWS, subtitlesOf } from './stl/convert-cues.ts';
import type { DisplayStandard } from './stl/file.ts';
import { MAX_CHARACTERS } from './stl/text-field.ts';
import { writeStl } from './stl/write-stl.ts';

export { codeTableFor, isLost, type Replaced, TableWriter } from './stl/code-tables.ts';
export { cuesOfStl, hasColours, stlLimits } from './stl/convert-cues.ts';
export { type DisplayStandard, StlError } from './stl/file.ts';
export { alikeInLatin } from './stl/latin-table.ts';
export { readStl } from './stl/read-stl.ts';
export { parsedTimeCode, startFrameOfMedia, stlRateOf } from './stl/time-codes.ts';

export type StlOptions = {
  display: DisplayStandard;
  framesPerSecond: 25 | 30;
  /** Frames since midnight of the programme's first picture, to which the times of cues are added. */
  startFrame: number;
  /** BCP 47 tag of the text. */
  language?: string;
  /** Of the programme. */
  title: string;
  /** What those who exchange the file call it; 16 characters of it are written. */
  reference: string;
  /** `YYYY-MM-DD`. */
  created: string;
  revised: string;
  /** 99 at most is written. */
  revision: number;
};

/** A file, and what its code table could not say. */
export type StlText = { file: Uint8Array<ArrayBuffer>; replaced: Replaced[] };

/**
 * An STL file of cues, which best are made with `stlLimits()`. Null where no code table has the letters of the
 * language. Throws an StlError where the cues are more than a file holds.
 */
export function stlOfCues(cues: readonly Cue[], options: StlOptions): StlText | null {
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

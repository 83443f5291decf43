/** An EBU STL file as data: the parts of EBU Tech 3264-E (February 1991) that subtitles need. */
import type { CodePage } from './code-pages.ts';
import type { CodeTable } from './code-tables.ts';

/** Tech 3264 §4.2, DSC: text over the picture, or teletext of level 1 or 2. */
export type DisplayStandard = 'open' | 'level1' | 'level2';

/** The text fields of the header, by their names in `StlHeader`. */
export const textFields = {
  originalTitle: 'OPT',
  originalEpisode: 'OET',
  translatedTitle: 'TPT',
  translatedEpisode: 'TET',
  translator: 'TN',
  translatorContact: 'TCD',
  reference: 'SLR',
  // Three letters, Tech 3264 appendix 4.
  country: 'CO',
  publisher: 'PUB',
  editor: 'EN',
  editorContact: 'ECD',
} as const;

export type HeaderTexts = Record<keyof typeof textFields, string>;

export type StlHeader = HeaderTexts & {
  /** CPN: the code page of the header's own texts. */
  codePage: CodePage;
  /** DFC. The standard has 25 and 30; other makers write other rates. */
  framesPerSecond: number;
  display: DisplayStandard;
  /** CCT: the code table of the subtitles. */
  codeTable: CodeTable;
  /** LC as a BCP 47 tag. Empty if the file has none. */
  language: string;
  /** CD and RD, `YYYY-MM-DD`. Empty if the file has none. */
  created: string;
  revised: string;
  /** RN, 0 to 99. */
  revision: number;
  /** MNC and MNR of the header. */
  maxCharacters: number;
  maxRows: number;
  /** TCP, in frames since midnight: the time code of the program's first picture. */
  startFrame: number;
};

/** Tech 3264 §4.3, CF and CS: how a subtitle is added to the one before it. */
export type Cumulative = 'none' | 'first' | 'intermediate' | 'last';

export type Justification = 'unchanged' | 'left' | 'center' | 'right';

export type StlSubtitle = {
  /** SGN, 0 to 255, and SN, 0 to 65,535. */
  group: number;
  number: number;
  cumulative: Cumulative;
  /** TCI and TCO, in frames since midnight. */
  startFrame: number;
  endFrame: number;
  /** VP: the number of the first row of text, counted from the top. */
  row: number;
  justification: Justification;
  /** CF: a note for the people who edit the subtitles, not for viewers. */
  isComment: boolean;
  rows: StlRow[];
};

export type StlRow = { spans: StlSpan[]; isDoubleHeight: boolean; isBoxed: boolean };

export type Color = 'black' | 'red' | 'green' | 'yellow' | 'blue' | 'magenta' | 'cyan' | 'white';

/**
 * Text with one style. In teletext, a change of color takes the place of a space. That space counts as the end of the
 * previous span.
 */
export type StlSpan = {
  text: string;
  color?: Color;
  /** Teletext only. Absent for a black background. A span with a background also has a color. */
  background?: Color | undefined;
  isItalic?: true | undefined;
  isUnderlined?: true | undefined;
};

export type StlFile = { header: StlHeader; subtitles: StlSubtitle[] };

/** A fault in a file. The reader repaired or skipped it. */
export type StlProblem = {
  /** Bytes from the start of the file. */
  offset: number;
  message: string;
};

export type ParsedStl = StlFile & {
  problems: StlProblem[];
  userDataBlocks: number;
};

/** The file is not an EBU STL file, or the format cannot contain the subtitles. */
export class StlError extends Error {
  readonly code: 'too_short' | 'not_stl' | 'too_many_blocks';
  /** Bytes from the start of the file. Null if there is no file yet. */
  readonly offset: number | null;

  constructor(code: StlError['code'], message: string, offset: number | null = null) {
    super(message);
    this.name = 'StlError';
    this.code = code;
    this.offset = offset;
  }
}

export const isTeletext = (display: DisplayStandard): boolean => display !== 'open';

/** An EBU STL file as data: what EBU Tech 3264-E (February 1991) keeps of subtitles. */

import type { CodePage } from './code-pages.ts';
import type { CodeTable } from './code-tables.ts';

/** Tech 3264 §4.2, DSC: text over the picture, or teletext of level 1 or 2. */
export type DisplayStandard = 'open' | 'level1' | 'level2';

export type StlHeader = {
  /** CPN: of the texts of the header itself. */
  codePage: CodePage;
  /** DFC. The format knows 25 and 30; readers meet others. */
  framesPerSecond: number;
  display: DisplayStandard;
  /** CCT: of the subtitles. */
  codeTable: CodeTable;
  /** LC, as a BCP 47 tag; empty where it is not told. */
  language: string;
  /** OPT and OET. */
  originalTitle: string;
  originalEpisode: string;
  /** TPT and TET. */
  translatedTitle: string;
  translatedEpisode: string;
  /** TN and TCD. */
  translator: string;
  translatorContact: string;
  /** SLR. */
  reference: string;
  /** CD and RD, `YYYY-MM-DD`; empty where they are not told. */
  created: string;
  revised: string;
  /** RN, 0 to 99. */
  revision: number;
  /** MNC and MNR. */
  maxCharacters: number;
  maxRows: number;
  /** TCP: the time code of the programme's first picture, in frames since midnight. */
  startFrame: number;
  /** CO: three letters, Tech 3264 appendix 4. */
  country: string;
  publisher: string;
  /** EN and ECD. */
  editor: string;
  editorContact: string;
};

/** Tech 3264 §4.3, CF and CS: how a subtitle is added to the one before it. */
export type Cumulative = 'none' | 'first' | 'intermediate' | 'last';

export type Justification = 'unchanged' | 'left' | 'centre' | 'right';

export type StlSubtitle = {
  /** SGN, 0 to 255, and SN, 0 to 65,535. */
  group: number;
  number: number;
  cumulative: Cumulative;
  /** TCI and TCO: frames since midnight, as the file has them. */
  startFrame: number;
  endFrame: number;
  /** VP: the row that the first row of text stands on, from the top. */
  row: number;
  justification: Justification;
  /** CF: meant for those who work on the subtitles, not for viewers. */
  isComment: boolean;
  rows: StlRow[];
};

export type StlRow = { spans: StlSpan[]; isDoubleHeight: boolean; isBoxed: boolean };

export type Colour = 'black' | 'red' | 'green' | 'yellow' | 'blue' | 'magenta' | 'cyan' | 'white';

/** Text of one look. In teletext a change of colour stands in the place of a blank, which ends the span before it. */
export type StlSpan = {
  text: string;
  colour?: Colour;
  /** Of teletext, where it is not black; whoever has one has a colour as well. */
  background?: Colour;
  isItalic?: true;
  isUnderlined?: true;
};

export type StlFile = { header: StlHeader; subtitles: StlSubtitle[] };

/** What a reader could not take as it stood. */
export type StlProblem = {
  /** Bytes from the start of the file. */
  offset: number;
  message: string;
};

/** What reading makes of a file that is an STL file at all. */
export type ParsedStl = StlFile & {
  problems: StlProblem[];
  /** How many blocks of user data were passed over. */
  userDataBlocks: number;
};

/** A file is no EBU STL file, or subtitles do not fit into one. */
export class StlError extends Error {
  readonly code: 'too_short' | 'not_stl' | 'too_many_blocks';
  /** Bytes from the start of the file; null where there is no file yet. */
  readonly offset: number | null;

  constructor(code: StlError['code'], message: string, offset: number | null = null) {
    super(message);
    this.name = 'StlError';
    this.code = code;
    this.offset = offset;
  }
}

export const isTeletext = (display: DisplayStandard): boolean => display !== 'open';

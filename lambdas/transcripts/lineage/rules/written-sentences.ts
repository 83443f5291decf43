/** Finds the sentences of written segments. A sentence can span several segments, and a segment can have several sentences. */
import type { Span } from '../../../../engines/translation/mask-text.ts';
import { untranslatableSpans } from '../../../../engines/translation/untranslatable-spans.ts';
import { itemAt } from '../../../../shared/checked-access.ts';
import type { Segment } from '../../../../shared/segments.ts';
import { isUnspaced } from '../../../subtitles/rules/script.ts';

export interface SentencePart {
  /** The index of the segment in the transcription. */
  readonly segment: number;
  readonly text: string;
}

export interface WrittenSentence {
  readonly text: string;
  readonly parts: readonly SentencePart[];
}

/** A sentence ends at a silence longer than this, ms. */
const SILENCE_MS = 3000;
/** A text without full stops is cut after this many segments, because engines translate longer text badly. */
const MAX_PARTS = 12;
/** The same limit in characters. */
const MAX_CHARACTERS = 600;

const ENDING = /[.!?…。！？｡؟۔।॥][\p{Pe}\p{Pf}"'”’\s]*$/u;
/** A closing quotation mark after a space, as in French, belongs to the previous sentence. */
const CLOSING_ALONE = /^[\p{Pe}\p{Pf}]+(?=\s|$)/u;
/** Words and single letters (initials) whose full stop does not end a sentence. The "I." of "so am I." does end one. */
const ABBREVIATION =
  /(?:^|[\s(.])(?:mr|mrs|ms|dr|prof|st|sr|sra|srta|jr|vs|etc|e\.g|i\.e|no|fig|p\.ej|ud|uds|(?!i\.)\p{L})\.$/iu;

/** The sentences, in order. They contain every part of every segment. @param language BCP 47 tag of the text */
export function writtenSentences(
  segments: readonly Segment[],
  language: string | undefined,
): WrittenSentence[] {
  const splitter = new Intl.Segmenter(language, { granularity: 'sentence' });
  const sentences: SentencePart[][] = [];
  let open: SentencePart[] | null = null;
  segments.forEach((segment, at) => {
    if (open !== null && !goesOn(open, itemAt(segments, at - 1), segment)) open = null;
    for (const text of piecesOf(segment.text, splitter)) {
      if (open === null) {
        open = [];
        sentences.push(open);
      }
      open.push({ segment: at, text });
      if (isEnd(text)) open = null;
    }
  });
  return sentences.map((parts) => ({ parts, text: joinTexts(parts.map(({ text }) => text)) }));
}

/** Joins pieces of text. Puts spaces between them if the script has spaces. */
export const joinTexts = (texts: readonly string[]): string =>
  texts.join(texts.some((text) => isUnspaced(text)) ? '' : ' ');

const isEnd = (text: string) => ENDING.test(text) && !ABBREVIATION.test(text);

function goesOn(open: readonly SentencePart[], before: Segment, next: Segment): boolean {
  const characters = open.reduce((sum, { text }) => sum + text.length, 0);
  return (
    speakerOf(before) === speakerOf(next) &&
    next.start_ms - before.end_ms < SILENCE_MS &&
    open.length < MAX_PARTS &&
    characters + next.text.length <= MAX_CHARACTERS
  );
}

const speakerOf = ({ speaker_id, speaker }: Segment) => speaker_id ?? speaker;

/**
 * Splits one text into sentences by the rules of Unicode (UAX 29). Joins pieces again if those rules cut after an
 * abbreviation or within an address.
 */
function piecesOf(text: string, splitter: Intl.Segmenter): string[] {
  const spaced = text.replace(/\s+/gu, ' ');
  const isInAddress = addressesIn(spaced);
  const pieces: string[] = [];
  let isWordCut = false;
  for (const { segment, index } of splitter.segment(spaced)) {
    let piece = segment.trim();
    const closing = pieces.length > 0 ? CLOSING_ALONE.exec(piece)?.[0] : undefined;
    if (closing !== undefined) {
      pieces.push(`${pieces.pop()} ${closing}`);
      piece = piece.slice(closing.length).trim();
    }
    const before = pieces.at(-1);
    const isInside = isWordCut && isInAddress(index);
    isWordCut = !segment.endsWith(' ');
    if (piece === '') continue;
    if (isInside) pieces[pieces.length - 1] = before + piece;
    else if (before === undefined || isEnd(before)) pieces.push(piece);
    else pieces[pieces.length - 1] = joinTexts([before, piece]);
  }
  return pieces;
}

/**
 * Returns a function that says whether a position is inside an address: "https://a.example/b?c=d" is not a question.
 * Positions must not decrease from call to call. A word in a script without spaces is never an address.
 */
function addressesIn(text: string): (place: number) => boolean {
  let spans: Span[] | undefined;
  let nth = 0;
  return (place) => {
    spans ??= untranslatableSpans(text).filter(({ start, end }) => !isUnspaced(text.slice(start, end)));
    while (spans[nth] !== undefined && itemAt(spans, nth).end <= place) nth += 1;
    return spans[nth] !== undefined && itemAt(spans, nth).start < place;
  };
}

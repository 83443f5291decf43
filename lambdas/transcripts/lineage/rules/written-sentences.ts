/** Sentences of written segments: one may run through several of them, and one segment may hold several. */
import type { Span } from '../../../../engines/translation/mask-text.ts';
import { untranslatableSpans } from '../../../../engines/translation/untranslatable-spans.ts';
import type { Segment } from '../../../../shared/segments.ts';
import { isUnspaced } from '../../../subtitles/rules/script.ts';

/** What of a sentence stands in one segment. */
export interface SentencePart {
  /** Place of the segment in the transcription. */
  readonly segment: number;
  readonly text: string;
}

export interface WrittenSentence {
  readonly text: string;
  readonly parts: readonly SentencePart[];
}

/** Nobody goes on with a sentence after so long. */
const SILENCE_MS = 3000;
/** Text without full stops is cut after so many segments or characters: engines lose the thread in longer ones. */
const MAX_PARTS = 12;
const MAX_CHARACTERS = 600;

const ENDING = /[.!?…。！？｡؟۔।॥][\p{Pe}\p{Pf}"'”’\s]*$/u;
/** What closes a quotation after a space, as in French, is cut from it. */
const CLOSING_ALONE = /^[\p{Pe}\p{Pf}]+(?=\s|$)/u;
/** Words whose full stop ends no sentence, and single letters, as of initials; "so am I." ends one. */
const ABBREVIATION =
  /(?:^|[\s(.])(?:mr|mrs|ms|dr|prof|st|sr|sra|srta|jr|vs|etc|e\.g|i\.e|no|fig|p\.ej|ud|uds|(?!i\.)\p{L})\.$/iu;

/** Every part of every segment is in one sentence, all in order. @param language BCP 47 tag of the text */
export function writtenSentences(
  segments: readonly Segment[],
  language: string | undefined,
): WrittenSentence[] {
  const splitter = new Intl.Segmenter(language, { granularity: 'sentence' });
  const sentences: SentencePart[][] = [];
  let open: SentencePart[] | null = null;
  segments.forEach((segment, at) => {
    if (open !== null && !goesOn(open, segments[at - 1]!, segment)) open = null;
    for (const text of piecesOf(segment.text, splitter)) {
      if (open === null) {
        open = [];
        sentences.push(open);
      }
      open.push({ segment: at, text });
      if (isEnd(text)) open = null;
    }
  });
  return sentences.map((parts) => ({ parts, text: joined(parts.map(({ text }) => text)) }));
}

/** Pieces of text in a row, as they are written: with spaces between where the script has them. */
export const joined = (texts: readonly string[]): string =>
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

/** The sentences of one text. What the rules of Unicode (UAX 29) cut after an abbreviation, or in an address, is joined again. */
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
    else pieces[pieces.length - 1] = joined([before, piece]);
  }
  return pieces;
}

/**
 * Whether a place, of several in order, is inside of what is no language: "https://a.example/b?c=d" is no question. A sentence without
 * spaces is none for a sign that it has.
 */
function addressesIn(text: string): (place: number) => boolean {
  let spans: Span[] | undefined;
  let nth = 0;
  return (place) => {
    spans ??= untranslatableSpans(text).filter(({ start, end }) => !isUnspaced(text.slice(start, end)));
    while (spans[nth] !== undefined && spans[nth]!.end <= place) nth += 1;
    return spans[nth] !== undefined && spans[nth]!.start < place;
  };
}

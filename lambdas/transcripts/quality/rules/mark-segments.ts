/** Marks what a person should look at before subtitles go out. Everything is derived from the segments. */

import type { Static } from 'typebox';
import type * as contract from '../../../../contract/resources/transcriptions.ts';
import type { Segment } from '../../../../shared/segments.ts';
import { rulesOf } from '../../../subtitles/rules/language-rules.ts';
import { BROADCAST_LIMITS } from '../../../subtitles/rules/limits.ts';
import { layLines, widthOf } from '../../../subtitles/rules/line-breaks.ts';
import { type ShownPhrase, shownPhrases } from '../../../subtitles/rules/make-cues.ts';
import { displayWidth } from '../../../subtitles/rules/script.ts';

export type QcMark = Static<typeof contract.QcMark>;

/** From where on a segment is marked. */
export const QC_LIMITS = {
  /**
   * Words below this are doubtful. Of 1,546 words that PocketSphinx heard of flite (9 % of them wrong), 9 % are below
   * 0.3, of which 4 in 10 are wrong: 4 in 10 of all wrong ones.
   */
  word_confidence: 0.3,
  /** A cue that begins later than its speech by more than this is seen to be late. */
  late_ms: 500,
};

/** How many doubtful words a mark names. */
const NAMED_WORDS = 5;

/** A segment as callers see it. */
export type Marked = Segment & { timing: 'automatic' | 'set'; qc: QcMark[] };

/**
 * The segments with their marks; `language` is their BCP 47 tag. Marks depend on neighbours and on where the media
 * end (ms): pass all segments.
 */
export function withQc(segments: readonly Segment[], language?: string, mediaDurationMs?: number): Marked[] {
  const marked = segments.map(({ made_of: _, heard: __, ...segment }): Marked => {
    return { ...segment, timing: segment.timing ?? 'automatic', qc: doubtsOf(segment) };
  });
  const phrases = shownPhrases(segments, {
    ...(language !== undefined && { language }),
    ...(mediaDurationMs !== undefined && { mediaDurationMs }),
  });
  for (const phrase of phrases) {
    const marks = readingMarks(phrase, language);
    for (const place of phrase.segments) addWorst(marked[place]!.qc, marks);
  }
  return marked;
}

/** The segments that carry a mark, or any; all where none is asked for. */
export function markedBy<Marked extends { qc: QcMark[] }>(
  code: QcMark['code'] | 'any' | undefined,
  segments: Marked[],
): Marked[] {
  if (code === undefined) return segments;
  return segments.filter(({ qc }) => qc.some((mark) => code === 'any' || mark.code === code));
}

/** A segment is marked once for each code, by its worst cue. */
function addWorst(qc: QcMark[], marks: readonly QcMark[]): void {
  for (const mark of marks) {
    const at = qc.findIndex(({ code }) => code === mark.code);
    if (at === -1) qc.push(mark);
    else if (beyond(qc[at]!) < beyond(mark)) qc[at] = mark;
  }
}

const beyond = ({ value, limit }: QcMark) => Math.abs(value - limit);

/** What a person wrote has no confidence, though some of its words were heard. */
export function doubtsOf({ confidence, words }: Segment): QcMark[] {
  const limit = QC_LIMITS.word_confidence;
  if (confidence === null) return [];
  // NaN and null, which is how JSON writes it, are of words whose engine tells nothing.
  const rated = words.filter((word) => Number.isFinite(word.confidence));
  const doubtful = rated.filter((word) => word.confidence < limit);
  if (doubtful.length === 0 && (rated.length > 0 || confidence >= limit)) return [];
  const value = Math.min(confidence, ...doubtful.map((word) => word.confidence));
  const named = doubtful.slice(0, NAMED_WORDS).map(({ text }) => `"${text}"`);
  const more = doubtful.length > named.length ? ' and others' : '';
  const detail =
    doubtful.length === 0
      ? 'The text is doubtful.'
      : `${doubtful.length} of ${words.length} words are doubtful: ${named.join(', ')}${more}.`;
  return [{ code: 'low_confidence', value, limit, detail }];
}

function readingMarks(phrase: ShownPhrase, language: string | undefined): QcMark[] {
  const marks = [fastSpeech(phrase), shortCue(phrase), lateCue(phrase), wideLine(phrase, language)];
  return marks.filter((mark) => mark !== null);
}

function fastSpeech({ atoms, shown }: ShownPhrase): QcMark | null {
  const limit = BROADCAST_LIMITS.max_columns_per_second;
  const columns = widthOf(atoms);
  const shown_ms = shown.end_ms - shown.start_ms;
  if (columns * 1000 <= limit * shown_ms) return null;
  const value = Math.ceil((columns * 10_000) / shown_ms) / 10;
  const detail = `There is less time than people need to read it: ${value} characters a second.`;
  return { code: 'fast_speech', value, limit, detail };
}

function shortCue({ shown }: ShownPhrase): QcMark | null {
  const limit = BROADCAST_LIMITS.min_ms;
  const value = shown.end_ms - shown.start_ms;
  if (value >= limit) return null;
  const detail = `The times that were set leave it ${value} ms on screen.`;
  return { code: 'short_cue', value, limit, detail };
}

function lateCue({ start_ms, shown }: ShownPhrase): QcMark | null {
  const limit = QC_LIMITS.late_ms;
  const value = shown.start_ms - start_ms;
  if (value <= limit) return null;
  const detail = `What is said before it leaves no time: it is shown ${value} ms after it is said.`;
  return { code: 'late_cue', value, limit, detail };
}

function wideLine({ atoms }: ShownPhrase, language: string | undefined): QcMark | null {
  const limit = BROADCAST_LIMITS.line_width;
  if (widthOf(atoms) <= limit) return null;
  const value = Math.max(...layLines(atoms, limit, rulesOf(language)).map(displayWidth));
  if (value <= limit) return null;
  return { code: 'wide_line', value, limit, detail: `A line is ${value} columns wide.` };
}

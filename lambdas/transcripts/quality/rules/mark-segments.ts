/** Marks the segments that a person should check before subtitles are published. */
import type { Static } from 'typebox';
import type * as contract from '../../../../contract/resources/transcriptions.ts';
import { itemAt } from '../../../../shared/checked-access.ts';
import type { Segment } from '../../../../shared/segments.ts';
import { findLanguageRules } from '../../../subtitles/rules/language-rules.ts';
import { BROADCAST_LIMITS } from '../../../subtitles/rules/limits.ts';
import { layLines, widthOf } from '../../../subtitles/rules/line-breaks.ts';
import { type ShownPhrase, shownPhrases } from '../../../subtitles/rules/make-cues.ts';
import { displayWidth } from '../../../subtitles/rules/script.ts';

export type QcMark = Static<typeof contract.QcMark>;

export const QC_LIMITS = {
  /**
   * A word with less confidence than this is doubtful. Measured on 1,546 words that flite spoke and PocketSphinx
   * recognized. Of all words, 9 % were wrong, and 9 % were doubtful. Of the doubtful words, 40 % were wrong, which is
   * 40 % of all wrong words.
   */
  word_confidence: 0.3,
  /** Viewers notice if a cue appears more than this after its speech. */
  late_ms: 500,
};

/** A mark lists at most this many doubtful words. */
const NAMED_WORDS = 5;

export type Marked = Segment & { timing: 'automatic' | 'set'; qc: QcMark[] };

/** Adds marks to segments. Callers must pass all segments, because marks depend on neighbors and on the end of the media. */
export function withQc(segments: readonly Segment[], language?: string, mediaDurationMs?: number): Marked[] {
  const marked = segments.map(({ made_of: _, heard: __, joined: ___, ...segment }): Marked => {
    return { ...segment, timing: segment.timing ?? 'automatic', qc: doubtsOf(segment) };
  });
  for (const phrase of shownPhrases(segments, { language, mediaDurationMs })) {
    const marks = readingMarks(phrase, language);
    for (const place of phrase.segments) addWorst(itemAt(marked, place).qc, marks);
  }
  return marked;
}

/** The segments with a mark of this code. `any` selects segments with any mark. Without a code, all segments. */
export function markedBy<Marked extends { qc: QcMark[] }>(
  code: QcMark['code'] | 'any' | undefined,
  segments: Marked[],
): Marked[] {
  if (code === undefined) return segments;
  return segments.filter(({ qc }) => qc.some((mark) => code === 'any' || mark.code === code));
}

/** Adds marks. A segment keeps one mark for each code: the mark of its worst cue. */
function addWorst(qc: QcMark[], marks: readonly QcMark[]): void {
  for (const mark of marks) {
    const at = qc.findIndex(({ code }) => code === mark.code);
    if (at === -1) qc.push(mark);
    else if (beyond(itemAt(qc, at)) < beyond(mark)) qc[at] = mark;
  }
}

const beyond = ({ value, limit }: QcMark) => Math.abs(value - limit);

/** Marks doubtful words. If a person wrote the text, no word is marked, because written text has no confidence. */
export function doubtsOf({ confidence, words }: Segment): QcMark[] {
  const limit = QC_LIMITS.word_confidence;
  if (confidence === null) return [];
  // An engine without confidences gives NaN, which JSON stores as null.
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
  const detail = `The text needs more time to be read: it has ${value} characters a second; the maximum is ${limit}.`;
  return { code: 'fast_speech', value, limit, detail };
}

function shortCue({ shown }: ShownPhrase): QcMark | null {
  const limit = BROADCAST_LIMITS.min_ms;
  const value = shown.end_ms - shown.start_ms;
  if (value >= limit) return null;
  const detail = `The set times leave ${value} ms on screen; the minimum is ${limit} ms.`;
  return { code: 'short_cue', value, limit, detail };
}

function lateCue({ start_ms, shown }: ShownPhrase): QcMark | null {
  const limit = QC_LIMITS.late_ms;
  const value = shown.start_ms - start_ms;
  if (value <= limit) return null;
  const detail = `The speech before it is too fast: it is shown ${value} ms after it is spoken; the maximum is ${limit} ms.`;
  return { code: 'late_cue', value, limit, detail };
}

function wideLine({ atoms }: ShownPhrase, language: string | undefined): QcMark | null {
  const limit = BROADCAST_LIMITS.line_width;
  if (widthOf(atoms) <= limit) return null;
  const value = Math.max(...layLines(atoms, limit, findLanguageRules(language)).map(displayWidth));
  if (value <= limit) return null;
  const detail = `A line is ${value} columns wide; the maximum is ${limit}.`;
  return { code: 'wide_line', value, limit, detail };
}

/** Makes sentence-like segments of the words an engine heard. */

import type { Segment, Word } from '../../../platform/shared/segments.ts';
import { type LanguageRules, rulesOf } from '../../subtitles/rules/language.ts';
import { BROADCAST_LIMITS } from '../../subtitles/rules/limits.ts';
import { breakCost, divide, endsSentence, pauseRelief, pieceCost } from '../../subtitles/rules/phrasing.ts';
import { displayWidth, needsSpace } from '../../subtitles/rules/script.ts';
import { cleanText } from '../../subtitles/rules/text.ts';

export type SegmentationOptions = {
  newId(): string;
  /** BCP 47 tag of what is spoken; without it breaks follow pauses, punctuation and length alone. */
  language?: string;
};

/** A pause this long always ends a segment. Shorter ones do when the segment would be long otherwise. */
const LONG_PAUSE_MS = 700;
/** Two full lines: no segment is longer in columns, nor than a cue may last. */
const MAX_COLUMNS = 2 * BROADCAST_LIMITS.line_width;
const MAX_MS = BROADCAST_LIMITS.max_ms;
/** What a long pause is worth, see `pauseRelief`: all there is to go by when the engine gives no punctuation. */
const pauseWeights = { punctuated: 12, bare: 18 };

/** What the transcript as a whole offers to go by. */
type Habits = { cased: boolean; pauseWeight: number; rules: LanguageRules; english: boolean };

/**
 * Segments from words in the order they were spoken. Every word that is not blank ends up in exactly one
 * segment, in order; segments and words do not overlap even if the engine's did; times are whole
 * milliseconds. A segment never spans two speakers, a sentence end or a pause of 700 ms, and stays within
 * 7 s and 84 columns wherever there are two words to part.
 *
 * An engine that gives no case at all gets its sentences' first letters (and the English "I") capitalised
 * in `text`, because viewers read it; `words` stay as heard. Punctuation is never invented.
 */
export function segmentsFromWords(words: readonly Word[], options: SegmentationOptions): Segment[] {
  const spoken = tidy(words);
  const habits = habitsOf(spoken, options.language);
  return sentences(spoken, habits).flatMap((sentence) =>
    pieces(sentence, habits).map((piece, i) => segmentOf(piece, i === 0, habits, options)),
  );
}

/** The words with clean texts and times in order: whole, growing, each at least a millisecond, none overlapping. */
function tidy(words: readonly Word[]): Word[] {
  const tidied: Word[] = [];
  for (const word of words) {
    const text = cleanText(word.text);
    if (text === '') continue;
    const previous = tidied.at(-1);
    const earliest = previous ? previous.start_ms + 1 : 0;
    const heard = Number.isFinite(word.start_ms) ? Math.round(word.start_ms) : -1;
    const start_ms = heard >= earliest ? heard : (previous?.end_ms ?? 0);
    if (previous && previous.end_ms > start_ms) previous.end_ms = start_ms;
    const end_ms = Number.isFinite(word.end_ms)
      ? Math.max(Math.round(word.end_ms), start_ms + 1)
      : start_ms + 1;
    tidied.push({ ...word, text, start_ms, end_ms });
  }
  return tidied;
}

function habitsOf(words: readonly Word[], language: string | undefined): Habits {
  const punctuated = words.some(({ text }) => /[.,!?。、？！]$/u.test(text));
  return {
    cased: words.some(({ text }) => /\p{Lu}/u.test(text)),
    pauseWeight: punctuated ? pauseWeights.punctuated : pauseWeights.bare,
    rules: rulesOf(language),
    english: /^en\b/i.test(language ?? ''),
  };
}

/** The words parted wherever a segment must end. */
function sentences(words: readonly Word[], { cased, rules }: Habits): Word[][] {
  const parted: Word[][] = [];
  let sentence: Word[] = [];
  words.forEach((word, i) => {
    sentence.push(word);
    const next = words[i + 1];
    const pause_ms = next ? next.start_ms - word.end_ms : 0;
    const speakerChanges = word.speaker !== next?.speaker;
    const isOver = endsSentence(word.text, { next: next?.text, pause_ms, cased, rules });
    if (!next || speakerChanges || isOver || pause_ms >= LONG_PAUSE_MS) {
      parted.push(sentence);
      sentence = [];
    }
  });
  return parted;
}

/** A sentence divided where it reads best, if it is long enough to need it. */
function pieces(sentence: readonly Word[], { pauseWeight, rules }: Habits): Word[][] {
  // Where each word begins and ends in the text of the whole sentence, in columns.
  const begins: number[] = [];
  const ends: number[] = [];
  let columns = 0;
  sentence.forEach((word, i) => {
    const spaced = i > 0 && needsSpace(sentence[i - 1]!.text, word.text);
    begins.push(columns + (spaced ? 1 : 0));
    columns = begins[i]! + displayWidth(word.text);
    ends.push(columns);
  });
  const columnsOf = (from: number, to: number) => ends[to - 1]! - begins[from]!;
  const durationOf = (from: number, to: number) => sentence[to - 1]!.end_ms - sentence[from]!.start_ms;

  const divided = divide({
    count: sentence.length,
    pieceCost: (from, to) => pieceCost(columnsOf(from, to), durationOf(from, to)),
    breakCost: (at) => {
      const before = sentence[at - 1]!;
      const after = sentence[at]!;
      return (
        breakCost(before.text, after.text, rules) - pauseRelief(after.start_ms - before.end_ms, pauseWeight)
      );
    },
    tooLong: (from, to) => columnsOf(from, to) > MAX_COLUMNS || durationOf(from, to) > MAX_MS,
  });
  return divided.map((end, i) => sentence.slice(divided[i - 1] ?? 0, end));
}

function segmentOf(
  words: Word[],
  opensSentence: boolean,
  habits: Habits,
  { newId }: SegmentationOptions,
): Segment {
  return {
    segment_id: newId(),
    original_segment_id: null,
    start_ms: words[0]!.start_ms,
    end_ms: words.at(-1)!.end_ms,
    text: textOf(words, opensSentence, habits),
    speaker: words[0]!.speaker ?? null,
    speaker_id: null,
    confidence: confidenceOf(words),
    words,
  };
}

function textOf(words: readonly Word[], opensSentence: boolean, { cased, english }: Habits): string {
  let text = '';
  let previous = '';
  for (const word of words) {
    const isPronounI = !cased && english && /^i(?:$|['’])/.test(word.text);
    const shown = isPronounI ? `I${word.text.slice(1)}` : word.text;
    text += needsSpace(previous, word.text) ? ` ${shown}` : shown;
    previous = word.text;
  }
  return !cased && opensSentence ? capitalised(text) : text;
}

// The scripts in which sentences begin with a capital. (Georgian has capitals, but not for that.)
const FIRST_LETTER = /^[^\p{L}\p{N}]*(?=\p{Ll})[\p{sc=Latin}\p{sc=Greek}\p{sc=Cyrillic}\p{sc=Armenian}]/u;

function capitalised(text: string): string {
  return text.replace(FIRST_LETTER, (opening) => {
    const capital = opening.toUpperCase();
    // A few letters have no capital of their own (ß, ŉ, ẖ): they would become several.
    return capital.length === opening.length ? capital : opening;
  });
}

/** The mean of the words' confidences weighted by their durations, to four places. */
function confidenceOf(words: readonly Word[]): number | null {
  const rated = words.filter(({ confidence }) => Number.isFinite(confidence));
  const duration = rated.reduce((sum, word) => sum + word.end_ms - word.start_ms, 0);
  if (duration === 0) return null;
  const weighted = rated.reduce((sum, word) => sum + word.confidence * (word.end_ms - word.start_ms), 0);
  return Math.round((weighted / duration) * 10_000) / 10_000;
}

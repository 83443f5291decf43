/** Makes sentence-like segments from the words of an engine. */
import { itemAt, lastOf } from '../../../../shared/checked-access.ts';
import type { Segment, Word } from '../../../../shared/segments.ts';
import {
  breakCost,
  divide,
  endsSentence,
  pauseRelief,
  pieceCost,
  splitAfter,
} from '../../../subtitles/rules/break-costs.ts';
import { findLanguageRules, type LanguageRules } from '../../../subtitles/rules/language-rules.ts';
import { BROADCAST_LIMITS } from '../../../subtitles/rules/limits.ts';
import { rulerOf } from '../../../subtitles/rules/line-breaks.ts';
import { displayWidth, needsSpace } from '../../../subtitles/rules/script.ts';
import { cleanText } from '../../../subtitles/rules/text.ts';
import { type ListedWord, pauseBetween } from './apply-word-lists.ts';
import { confidenceOf } from './confidence.ts';
import { closingMark, sentencesOf } from './restore-sentences.ts';
import { textOf } from './restore-text.ts';

export type SegmentationOptions = {
  newId(): string;
  /** BCP 47 tag of the speech. Without a tag, breaks depend only on pauses, punctuation and length. */
  language?: string;
};

/** A pause of this length always ends a segment. A shorter pause ends only a segment that would become too long. */
const LONG_PAUSE_MS = 700;
/**
 * The value of `LONG_PAUSE_MS` for restored sentences. Speakers often pause longer than this between sentences, but
 * rarely within one. A missed sentence end must not be inside a segment.
 */
const RESTORED_PAUSE_MS = 350;
/** The maximum number of columns in a segment: two full lines. */
const MAX_COLUMNS = 2 * BROADCAST_LIMITS.line_width;
/** The longest segment lasts as long as the longest cue. */
const MAX_MS = BROADCAST_LIMITS.max_ms;
/** The weight of a long pause (see `pauseRelief`). Without punctuation, pauses are the only evidence. */
const pauseWeights = { punctuated: 12, bare: 18 };

type Habits = {
  cased: boolean;
  pauseWeight: number;
  rules: LanguageRules;
  bareEnglish: boolean;
  /** Whether sentences must be restored: the transcript is English without capital letters and punctuation. */
  restores: boolean;
};

/** Words between two positions where a segment must end. */
type Stretch = {
  words: ListedWord[];
  /** Whether a sentence begins with these words. */
  opens: boolean;
  closing: '' | '.' | '?';
};

/**
 * Makes segments from words in spoken order. Every word that is not blank is in exactly one segment, in order. Segments
 * and words do not overlap, even if the engine's words do. Times are whole milliseconds. A segment never spans two
 * speakers, a sentence end or a pause of 700 ms (350 ms between restored sentences). A segment has at most 7 s and 84
 * columns, unless it is a single word.
 *
 * If an engine writes no capital letters, `text` gets capital letters at the beginnings of sentences. In English, "I"
 * and unambiguous names get them too. If the English text has no punctuation either, the ends of sentences in `text`
 * are restored from pauses and grammar. `words` stay as heard. If the engine writes case and punctuation, they do not
 * change.
 */
export function segmentsFromWords(words: readonly ListedWord[], options: SegmentationOptions): Segment[] {
  const spoken = tidy(words);
  const habits = habitsOf(spoken, options.language);
  const stretches = habits.restores ? restoredStretches(spoken) : punctuatedStretches(spoken, habits);
  return stretches.flatMap((stretch) => {
    const parts = pieces(stretch.words, habits);
    return parts.map((part, i) => {
      const writing = {
        english: habits.bareEnglish,
        opens: stretch.opens && i === 0,
        closing: i === parts.length - 1 ? stretch.closing : '',
      } as const;
      return segmentOf(part, textOf(part, writing), options);
    });
  });
}

/**
 * The words with clean texts and valid times. Times are whole and increasing, and each word has at least 1 ms without
 * overlap.
 */
function tidy(words: readonly ListedWord[]): ListedWord[] {
  const tidied: ListedWord[] = [];
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

function habitsOf(words: readonly ListedWord[], language: string | undefined): Habits {
  const rules = findLanguageRules(language);
  const punctuated = words.some(({ text }) => isPunctuated(text, rules));
  const cased = words.some(({ text }) => /\p{Lu}/u.test(text));
  const bareEnglish = !cased && /^en\b/i.test(language ?? '');
  return {
    cased,
    pauseWeight: punctuated ? pauseWeights.punctuated : pauseWeights.bare,
    rules,
    bareEnglish,
    restores: bareEnglish && !punctuated,
  };
}

/** Whether a word has punctuation. The full stop of an abbreviation or of spelled letters ("u.s.") does not count. */
function isPunctuated(text: string, { neverLast, maybeLast }: LanguageRules): boolean {
  if (!/[.,!?。、？！]$/u.test(text)) return false;
  const stem = text.slice(0, -1).toLowerCase();
  return !(
    text.endsWith('.') &&
    (/^\p{L}(?:\.\p{L})*$/u.test(stem) || neverLast.has(stem) || maybeLast.has(stem))
  );
}

/**
 * Splits the words at each position where a segment must end: at the engine's punctuation, changes of voice and pauses.
 */
function punctuatedStretches(words: readonly ListedWord[], { cased, rules }: Habits): Stretch[] {
  return splitAfter(words, (word, next) => {
    const pause_ms = pauseBetween(word, next);
    const isOver = endsSentence(word.text, { next: next.text, pause_ms, cased, rules });
    return word.speaker !== next.speaker || isOver || pause_ms >= LONG_PAUSE_MS;
  }).map((part) => ({ words: part, opens: !cased, closing: '' }));
}

/** Splits the words of each voice into sentences by pauses and grammar. Then splits the sentences at long pauses. */
function restoredStretches(words: readonly ListedWord[]): Stretch[] {
  return splitAfter(words, (word, next) => word.speaker !== next.speaker)
    .flatMap(sentencesOf)
    .flatMap((sentence) => {
      const parts = splitAfter(sentence, (word, next) => pauseBetween(word, next) >= RESTORED_PAUSE_MS);
      return parts.map((part, i): Stretch => {
        const isLast = i === parts.length - 1;
        return { words: part, opens: i === 0, closing: isLast ? closingMark(sentence) : '' };
      });
    });
}

/** Divides a long sentence at the positions where it reads best. */
function pieces(sentence: readonly ListedWord[], { pauseWeight, rules }: Habits): ListedWord[][] {
  const columnsOf = rulerOf(
    sentence.map(({ text, written = text }, i) => ({
      spaced: i > 0 && needsSpace(itemAt(sentence, i - 1).text, text),
      width: Math.max(displayWidth(written), 1),
    })),
  );
  const durationOf = (from: number, to: number) =>
    itemAt(sentence, to - 1).end_ms - itemAt(sentence, from).start_ms;

  return divide(sentence, {
    pieceCost: (from, to) => pieceCost(columnsOf(from, to), durationOf(from, to)),
    breakCost: (at) => {
      const before = itemAt(sentence, at - 1);
      const after = itemAt(sentence, at);
      return (
        breakCost(before.text, after.text, rules) - pauseRelief(pauseBetween(before, after), pauseWeight)
      );
    },
    tooLong: (from, to) => columnsOf(from, to) > MAX_COLUMNS || durationOf(from, to) > MAX_MS,
  });
}

function segmentOf(words: ListedWord[], text: string, { newId }: SegmentationOptions): Segment {
  return {
    segment_id: newId(),
    original_segment_id: null,
    start_ms: itemAt(words, 0).start_ms,
    end_ms: lastOf(words).end_ms,
    text,
    speaker: itemAt(words, 0).speaker ?? null,
    speaker_id: null,
    confidence: confidenceOf(words),
    words: words.flatMap(asWritten),
  };
}

/** The written words that replace a heard word. They share the time of the heard word. */
function asWritten({ written, left_out_ms: _, ...word }: ListedWord): Word[] {
  if (written === undefined) return [word];
  const texts = written.split(' ').filter((text) => text !== '');
  const each = (word.end_ms - word.start_ms) / texts.length;
  if (each < 1) return [{ ...word, text: written }];
  const at = (nth: number) => Math.round(word.start_ms + nth * each);
  return texts.map((text, i) => ({ ...word, text, start_ms: at(i), end_ms: at(i + 1) }));
}

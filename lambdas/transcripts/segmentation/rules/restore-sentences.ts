/** Finds the ends of sentences in English without capital letters and punctuation. */
import { itemAt } from '../../../../shared/checked-access.ts';
import type { Word } from '../../../../shared/segments.ts';
import { divide } from '../../../subtitles/rules/break-costs.ts';
import { type ListedWord, pauseBetween } from './apply-word-lists.ts';
import {
  complete,
  determiners,
  finite,
  leaning,
  neverFirst,
  oftenFirst,
  questions,
  seldomFirst,
  seldomLast,
  subordinators,
  unfinished,
  verbs,
} from './english.ts';

/** A pause longer than this always ends a sentence, ms. */
const SILENCE_MS = 3000;
/** The maximum number of words in a sentence. A longer run of words is divided where a sentence end costs least. */
const MAX_WORDS = 60;
/** The maximum number of words in a question. A longer run of words is probably two sentences without a pause. */
const MAX_QUESTION_WORDS = 20;

/**
 * The costs of a sentence end (`cost`), and how much pauses reduce them (`worth`). A random search over known sentences
 * found these numbers. The search penalized a wrong full stop more than a missing one
 * (docs/decisions/0034-sentences-and-cues.md).
 */
const cost = {
  end: 6.5,
  unfinished: 17,
  leaning: 6,
  leaningOnNoun: 12,
  seldomLast: 3.5,
  neverFirst: 12,
  finiteVerbFirst: 6,
  seldomFirst: 2.5,
  conjunctionAndSubject: 2,
  oftenFirst: -2.5,
  repeated: 12,
  noVerb: 6.5,
  noMainClause: 4,
  wordShortOfFour: 2.5,
  noPause: 7.5,
};
const worth = { usualPause: 8.5, mostOfPauses: 12.5, silence: 60 };

/**
 * Divides one speaker's words into sentences. The words stay as heard. The function combines the evidence of pauses and
 * grammar. A pause within a clause does not end the sentence ("I went to … the house"). A short pause between clauses
 * ends it. Without a pause, a sentence ends only before words that clearly begin a new one.
 */
export function sentencesOf(words: readonly ListedWord[]): ListedWord[][] {
  const texts = words.map(({ text }) => plain(text));
  const usual = usualPause(words);
  const verbsBefore = [0];
  texts.forEach((text, i) => {
    verbsBefore.push(itemAt(verbsBefore, i) + (isVerb(text, texts[i - 1]) ? 1 : 0));
  });
  return divide(words, {
    pieceCost: (from, to) => shapeCost(texts, from, to, itemAt(verbsBefore, to) - itemAt(verbsBefore, from)),
    breakCost: (at) => endCost(texts, at) - pauseWorth(pauseBefore(words, at), usual),
    tooLong: (from, to) => to - from > MAX_WORDS,
  });
}

/** The mark at the end of a sentence: none if the speaker broke the sentence off, and a question mark only for a certain question. */
export function closingMark(sentence: readonly Word[]): '' | '.' | '?' {
  const texts = sentence.map(({ text }) => plain(text));
  const last = texts.at(-1) ?? '';
  if (unfinished.has(last)) return '';
  const text = texts.join(' ');
  const asks =
    texts.length > 1 && texts.length <= MAX_QUESTION_WORDS && questions.some((it) => it.test(text));
  if (asks) return '?';
  return /[\p{L}\p{N}]$/u.test(last) ? '.' : '';
}

const plain = (text: string) => text.toLowerCase().replaceAll('’', "'");

const pauseBefore = (words: readonly ListedWord[], at: number) =>
  pauseBetween(itemAt(words, at - 1), itemAt(words, at));

/** The median pause of a speaker, ms. Very short gaps between sounds do not count. */
function usualPause(words: readonly ListedWord[]): number {
  const pauses = words
    .slice(1)
    .map((_, i) => pauseBefore(words, i + 1))
    .filter((pause_ms) => pause_ms >= 150 && pause_ms < SILENCE_MS)
    .sort((one, other) => one - other);
  if (pauses.length < 6) return 350;
  return Math.min(Math.max(itemAt(pauses, pauses.length >> 1), 250), 450);
}

const persons = new Set('i you he she it we they who nobody everybody'.split(' '));
const subjects = new Set([...persons, ...determiners, 'there']);
const inverted = new Set('is are was do does did can could would will have has'.split(' '));
const pointing = new Set('is was would will means makes meant could can may might'.split(' '));
const joining = new Set(['and', 'but', 'so']);
const isPast = (text: string) => /[a-z]{2}ed$/.test(text);

function isVerb(text: string, before: string | undefined): boolean {
  if (verbs.has(text) || isPast(text)) return true;
  // True after a pronoun for a person: the next word is a verb, or an adverb before a verb.
  return before !== undefined && persons.has(before) && !seldomFirst.has(text) && !unfinished.has(text);
}

function shapeCost(texts: readonly string[], from: number, to: number, verbCount: number): number {
  const length = to - from;
  const first = itemAt(texts, from);
  const tooLong = Math.max(0, length - 18) ** 2 / 70;
  if (length <= 2 && complete.has(first)) return 0;
  const lacksVerb = verbCount === 0 ? cost.noVerb : 0;
  const lacksMainClause = verbCount <= 1 && subordinators.has(first) ? cost.noMainClause : 0;
  return lacksVerb + lacksMainClause + cost.wordShortOfFour * Math.max(0, 4 - length) + tooLong;
}

/** The grammatical cost of a sentence end before the word at index `at`. */
function endCost(texts: readonly string[], at: number): number {
  const last = itemAt(texts, at - 1);
  const first = itemAt(texts, at);
  if (last === first) return cost.end + cost.repeated;
  return cost.end + costOfLast(last, first) + costOfFirst(first, texts[at + 1]);
}

function costOfLast(last: string, first: string): number {
  if (unfinished.has(last)) return cost.unfinished;
  if (leaning.has(last)) return determiners.has(first) ? cost.leaningOnNoun : cost.leaning;
  return seldomLast.has(last) ? cost.seldomLast : 0;
}

function costOfFirst(first: string, second = ''): number {
  const asks = inverted.has(first) && subjects.has(second);
  const points = first === 'that' && pointing.has(second);
  if (asks || points || (first === 'of' && second === 'course')) return cost.oftenFirst;
  if (neverFirst.has(first)) return cost.neverFirst;
  if (finite.has(first) || isPast(first)) return cost.finiteVerbFirst;
  if (joining.has(first) && subjects.has(second)) return cost.conjunctionAndSubject;
  if (seldomFirst.has(first)) return cost.seldomFirst;
  return oftenFirst.has(first) ? cost.oftenFirst : 0;
}

/** How strongly a pause indicates a sentence end, compared with the speaker's usual pause. */
function pauseWorth(pause_ms: number, usual_ms: number): number {
  if (pause_ms >= SILENCE_MS) return worth.silence;
  if (pause_ms < 50) return -cost.noPause;
  return Math.min(worth.mostOfPauses, worth.usualPause * Math.log2(1 + pause_ms / usual_ms));
}

/** Divides segments into phrases. Each phrase fits one cue. */
import { itemAt, lastOf } from '../../../shared/checked-access.ts';
import type { Segment } from '../../../shared/segments.ts';
import { endsSentence, splitAfter } from './break-costs.ts';
import { type Duet, groupDialogue } from './dialogues.ts';
import type { LanguageRules } from './language-rules.ts';
import { neededMs, type Span, type SubtitleLimits } from './limits.ts';
import { fitsTwoLines, linesWritten, widthOf } from './line-breaks.ts';
import { partsOf } from './split-sentences.ts';
import { type SpokenAtom, spokenAtoms } from './spoken-atoms.ts';
import type { Atom } from './text.ts';
import { wholeMs } from './timestamps.ts';

export type Phrase = {
  atoms: Atom[];
  start_ms: number;
  end_ms: number;
  speaker: string | null;
  /** The speaker of each line, if two people speak at the same time. */
  voices?: readonly (string | null)[];
  /** The indexes of its segments in the list: one, or two that are spoken at the same time. */
  segments: readonly number[];
  /** The set times of its segment. All phrases of a segment share one object. */
  held?: Span;
};

/** The facts that decide where a text is divided. */
export type Reading = {
  limits: SubtitleLimits;
  rules: LanguageRules;
  /** Whether the text has capital letters. */
  cased: boolean;
};

// If the pause between two phrases is longer than this, they do not share a cue.
const JOINABLE_PAUSE_MS = 700;

/**
 * The phrases of a segment. A blank segment has no phrases. A phrase does not cross the end of a sentence, with two
 * exceptions: both sentences were written on two lines, or the set times are too short for two cues.
 */
export function phrasesOf(segment: Segment, place: number, reading: Reading): Phrase[] {
  const held = heldBy(segment);
  const spoken = spokenAtoms(segment);
  const isWhole = held && isOneCue(spoken, held, reading.limits);
  const parts = isWhole ? [spoken] : divideAtoms(spoken, reading);
  const phrases = parts.map((atoms): Phrase => {
    const [start_ms, end_ms] = [itemAt(atoms, 0).start_ms, lastOf(atoms).end_ms];
    return { atoms, start_ms, end_ms, speaker: segment.speaker, segments: [place], ...(held && { held }) };
  });
  return held ? joinUntilReadable(phrases, held, reading) : phrases;
}

/** The phrase of two segments that are spoken at the same time. */
export function phraseOfDuet({ places, atoms, span }: Duet, segments: readonly Segment[]): Phrase {
  const voices = places.map((place) => itemAt(segments, place).speaker);
  const held = itemAt(segments, places[0]).timing === 'set' ? { held: span } : {};
  return { atoms, ...span, speaker: null, voices, segments: places, ...held };
}

/** Whether a segment with set times is one cue: short enough, written on one line, and at most two lines of the screen. */
function isOneCue(atoms: readonly SpokenAtom[], { start_ms, end_ms }: Span, limits: SubtitleLimits): boolean {
  return (
    atoms.length > 0 &&
    end_ms - start_ms <= limits.max_ms &&
    linesWritten(atoms).length === 1 &&
    fitsTwoLines(atoms, limits.line_width)
  );
}

function heldBy({ timing, start_ms, end_ms }: Segment): Span | null {
  if (timing !== 'set') return null;
  const start = wholeMs(start_ms);
  return { start_ms: start, end_ms: Math.max(wholeMs(end_ms), start + 1) };
}

/**
 * Divides a text by its written lines, two at a time, if the lines fit the screen. Otherwise divides it by sentences
 * and parts of sentences.
 */
function divideAtoms(atoms: readonly SpokenAtom[], reading: Reading): SpokenAtom[][] {
  const { limits } = reading;
  const groups = groupDialogue(atoms, limits.line_width);
  if (groups) {
    return groups.flatMap((group) => {
      return linesWritten(group).length > 1 ? [group] : dividedSentences(group, reading);
    });
  }
  const lines = linesWritten(atoms);
  if (lines.length > 1 && lines.every((line) => widthOf(line) <= limits.line_width)) {
    return lines.flatMap((line, i) => (i % 2 === 0 ? [[...line, ...(lines[i + 1] ?? [])]] : []));
  }
  const flowing = atoms.map(({ opensLine: _, ...atom }) => atom);
  return dividedSentences(flowing, reading);
}

function dividedSentences(flowing: readonly SpokenAtom[], reading: Reading): SpokenAtom[][] {
  const sentences = splitAfter(flowing, (atom, next) => isEndOfSentence(atom, next, reading));
  return sentences.flatMap((sentence) => partsOf(sentence, reading.limits, reading.rules));
}

function isEndOfSentence(
  last: { text: string; end_ms: number },
  next: { text: string; start_ms: number },
  { rules, cased }: Reading,
): boolean {
  return endsSentence(last.text, { next: next.text, pause_ms: next.start_ms - last.end_ms, cased, rules });
}

/** Joins a phrase that has too little time with its shorter neighbor of the same sentence, if both fit one cue. */
export function joinHurriedPhrases(phrases: readonly Phrase[], reading: Reading): Phrase[] {
  const { limits } = reading;
  const isHasty = (phrase: Phrase, next: Phrase | undefined) =>
    next !== undefined &&
    next.start_ms - limits.gap_ms - phrase.start_ms < neededMs(widthOf(phrase.atoms), limits);
  const joined: Phrase[] = [];
  phrases.forEach((phrase, i) => {
    const last = joined.at(-1);
    const next = phrases[i + 1];
    const suitsNext =
      last && next && mayJoin(phrase, next, reading) && widthOf(next.atoms) < widthOf(last.atoms);
    const oneIsHasty = last && (isHasty(last, phrase) || (isHasty(phrase, next) && !suitsNext));
    if (oneIsHasty && mayJoin(last, phrase, reading)) joined[joined.length - 1] = join(last, phrase);
    else joined.push(phrase);
  });
  return joined;
}

function mayJoin(one: Phrase, other: Phrase, reading: Reading): boolean {
  const last = { text: lastOf(one.atoms).text, end_ms: one.end_ms };
  const next = { text: itemAt(other.atoms, 0).text, start_ms: other.start_ms };
  return (
    one.segments.length === 1 &&
    one.segments[0] === other.segments[0] &&
    other.start_ms - one.end_ms < JOINABLE_PAUSE_MS &&
    other.end_ms - one.start_ms <= reading.limits.max_ms &&
    !isEndOfSentence(last, next, reading) &&
    fitsOneCue(one, other, reading)
  );
}

/**
 * Joins phrases until each can have the shortest cue time within the set times. It first joins parts of one sentence.
 * Then it joins any neighbors that fit one cue.
 */
function joinUntilReadable(phrases: readonly Phrase[], held: Span, reading: Reading): Phrase[] {
  const { limits } = reading;
  const limit = Math.floor((held.end_ms - held.start_ms + limits.gap_ms) / (limits.min_ms + limits.gap_ms));
  const ofOneSentence = (one: Phrase, other: Phrase) => mayJoin(one, other, reading);
  const fitting = (one: Phrase, other: Phrase) => fitsOneCue(one, other, reading);
  return joinedTo(limit, joinedTo(limit, phrases, ofOneSentence), fitting);
}

/** Joins allowed neighbors, from the front, until at most `limit` phrases are left. */
function joinedTo(
  limit: number,
  phrases: readonly Phrase[],
  may: (one: Phrase, other: Phrase) => boolean,
): Phrase[] {
  let excess = phrases.length - Math.max(limit, 1);
  const joined: Phrase[] = [];
  for (const phrase of phrases) {
    const last = joined.at(-1);
    if (excess > 0 && last && may(last, phrase)) {
      joined[joined.length - 1] = join(last, phrase);
      excess--;
    } else joined.push(phrase);
  }
  return joined;
}

function fitsOneCue(one: Phrase, other: Phrase, { limits }: Reading): boolean {
  return fitsTwoLines(join(one, other).atoms, limits.line_width);
}

function join(one: Phrase, other: Phrase): Phrase {
  return { ...one, atoms: [...one.atoms, ...other.atoms], end_ms: Math.max(one.end_ms, other.end_ms) };
}

/** Divides segments into phrases that fit a cue each. */

import type { Segment } from '../../../platform/shared/segments.ts';
import type { LanguageRules } from './language.ts';
import type { SubtitleLimits } from './limits.ts';
import { fitsTwoLines, widthOf } from './lines.ts';
import { breakCost, divide, endsSentence, pauseRelief, pieceCost } from './phrasing.ts';
import { needsSpace } from './script.ts';
import { type SpokenAtom, spokenAtoms } from './spoken-atoms.ts';
import type { Atom } from './text.ts';
import { neededMs } from './timing.ts';

/** What one cue will show, at the time it is spoken. */
export type Phrase = {
  atoms: Atom[];
  start_ms: number;
  end_ms: number;
  speaker: string | null;
  /** The segments that it shows, or a part of: their places in the list. */
  segments: readonly number[];
};

/** What sentences are told by. */
export type Reading = {
  rules: LanguageRules;
  /** Whether the text has upper and lower case to go by. */
  cased: boolean;
};

const PAUSE_WEIGHT = 12;
// Phrases further apart than this are not put on screen together.
const JOINABLE_PAUSE_MS = 700;
// What a phrase costs for every millisecond that speech leaves too little to read it: half a second is as bad
// as a break between an article and its noun.
const HURRY_COST = 1 / 50;

/** The phrases of the segment at a place; none for a blank one. None spans the end of a sentence. */
export function phrasesOf(
  segment: Segment,
  place: number,
  limits: SubtitleLimits,
  reading: Reading,
): Phrase[] {
  return sentencesOf(spokenAtoms(segment), reading).flatMap((atoms) =>
    partsOf(atoms, limits, reading.rules).map((part) => ({
      atoms: part,
      start_ms: part[0]!.start_ms,
      end_ms: part.at(-1)!.end_ms,
      speaker: segment.speaker,
      segments: [place],
    })),
  );
}

function sentencesOf(atoms: readonly SpokenAtom[], reading: Reading): SpokenAtom[][] {
  const sentences: SpokenAtom[][] = [];
  let from = 0;
  atoms.forEach((atom, i) => {
    const next = atoms[i + 1];
    if (next && !isEndOfSentence(atom, next, reading)) return;
    sentences.push(atoms.slice(from, i + 1));
    from = i + 1;
  });
  return sentences;
}

function isEndOfSentence(
  last: { text: string; end_ms: number },
  next: { text: string; start_ms: number },
  { rules, cased }: Reading,
): boolean {
  return endsSentence(last.text, { next: next.text, pause_ms: next.start_ms - last.end_ms, cased, rules });
}

function partsOf(atoms: readonly SpokenAtom[], limits: SubtitleLimits, rules: LanguageRules): SpokenAtom[][] {
  const columnsOf = rulerOf(atoms);
  const durationOf = (from: number, to: number) => atoms[to - 1]!.end_ms - atoms[from]!.start_ms;
  const hurryOf = (from: number, to: number) => {
    const next = atoms[to];
    if (!next) return 0;
    const room = next.start_ms - atoms[from]!.start_ms - limits.gap_ms;
    return Math.max(0, neededMs(columnsOf(from, to), limits) - room);
  };
  const ends = divide({
    count: atoms.length,
    pieceCost: (from, to) =>
      pieceCost(columnsOf(from, to), durationOf(from, to)) + HURRY_COST * hurryOf(from, to),
    breakCost: (at) => {
      const before = atoms[at - 1]!;
      const after = atoms[at]!;
      return (
        breakCost(before.text, after.text, rules) - pauseRelief(after.start_ms - before.end_ms, PAUSE_WEIGHT)
      );
    },
    tooLong: (from, to) =>
      durationOf(from, to) > limits.max_ms ||
      (columnsOf(from, to) > limits.line_width && !fitsTwoLines(atoms.slice(from, to), limits.line_width)),
  });
  return ends.map((end, i) => atoms.slice(ends[i - 1] ?? 0, end));
}

/** Tells how many columns the atoms of a range take on one line. */
function rulerOf(atoms: readonly Atom[]): (from: number, to: number) => number {
  const ends: number[] = [];
  let columns = 0;
  for (const atom of atoms) {
    columns += atom.width + (atom.spaced ? 1 : 0);
    ends.push(columns);
  }
  return (from, to) => ends[to - 1]! - ends[from]! + atoms[from]!.width;
}

/**
 * Joins a phrase that speech leaves too little time on screen with its shorter neighbour of the same
 * sentence and speaker, as far as both fit one cue.
 */
export function joinHasty(phrases: readonly Phrase[], limits: SubtitleLimits, reading: Reading): Phrase[] {
  const isHasty = (phrase: Phrase, next: Phrase | undefined) =>
    next !== undefined &&
    next.start_ms - limits.gap_ms - phrase.start_ms < neededMs(widthOf(phrase.atoms), limits);
  const joined: Phrase[] = [];
  phrases.forEach((phrase, i) => {
    const last = joined.at(-1);
    const next = phrases[i + 1];
    const suitsNext =
      last && next && mayJoin(phrase, next, limits, reading) && widthOf(next.atoms) < widthOf(last.atoms);
    const oneIsHasty = last && (isHasty(last, phrase) || (isHasty(phrase, next) && !suitsNext));
    if (oneIsHasty && mayJoin(last, phrase, limits, reading)) joined[joined.length - 1] = join(last, phrase);
    else joined.push(phrase);
  });
  return joined;
}

function mayJoin(one: Phrase, other: Phrase, limits: SubtitleLimits, reading: Reading): boolean {
  const last = { text: one.atoms.at(-1)!.text, end_ms: one.end_ms };
  const next = { text: other.atoms[0]!.text, start_ms: other.start_ms };
  return (
    one.speaker === other.speaker &&
    other.start_ms - one.end_ms < JOINABLE_PAUSE_MS &&
    other.end_ms - one.start_ms <= limits.max_ms &&
    !isEndOfSentence(last, next, reading) &&
    fitsTwoLines(join(one, other).atoms, limits.line_width)
  );
}

function join(one: Phrase, other: Phrase): Phrase {
  const [first, ...rest] = other.atoms;
  const spaced = needsSpace(one.atoms.at(-1)!.text, first!.text);
  return {
    ...one,
    atoms: [...one.atoms, { ...first!, spaced }, ...rest],
    end_ms: Math.max(one.end_ms, other.end_ms),
    segments: [...new Set([...one.segments, ...other.segments])],
  };
}

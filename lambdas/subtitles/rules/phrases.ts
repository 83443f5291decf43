/** Divides segments into phrases that fit a cue each, and finds when each of them is spoken. */

import type { Segment } from '../../../platform/shared/segments.ts';
import type { LanguageRules } from './language.ts';
import type { SubtitleLimits } from './limits.ts';
import { fitsTwoLines, widthOf } from './lines.ts';
import { breakCost, divide, pauseRelief, pieceCost } from './phrasing.ts';
import { needsSpace } from './script.ts';
import { type Atom, atomsOf } from './text.ts';
import { wholeMs } from './timestamps.ts';

/** What one cue will show, at the time it is spoken. */
export type Phrase = { atoms: Atom[]; start_ms: number; end_ms: number; speaker: string | null };

type SpokenAtom = Atom & { start_ms: number; end_ms: number };

const PAUSE_WEIGHT = 12;
// Phrases further apart than this are not put on screen together.
const JOINABLE_PAUSE_MS = 700;

/** The phrases of a segment; none for a blank one. */
export function phrasesOf(segment: Segment, limits: SubtitleLimits, rules: LanguageRules): Phrase[] {
  const atoms = spokenAtoms(segment);
  const speaker = segment.speaker;
  const slice = (from: number, to: number) => atoms.slice(from, to);
  const durationOf = (from: number, to: number) => atoms[to - 1]!.end_ms - atoms[from]!.start_ms;
  const ends = divide({
    count: atoms.length,
    pieceCost: (from, to) => pieceCost(widthOf(slice(from, to)), durationOf(from, to)),
    breakCost: (at) => {
      const before = atoms[at - 1]!;
      const after = atoms[at]!;
      return (
        breakCost(before.text, after.text, rules) - pauseRelief(after.start_ms - before.end_ms, PAUSE_WEIGHT)
      );
    },
    tooLong: (from, to) =>
      durationOf(from, to) > limits.max_ms || !fitsTwoLines(slice(from, to), limits.line_width),
  });
  return ends.map((end, i) => {
    const part = slice(ends[i - 1] ?? 0, end);
    return { atoms: part, start_ms: part[0]!.start_ms, end_ms: part.at(-1)!.end_ms, speaker };
  });
}

/**
 * Joins a phrase that speech leaves too little time on screen with its shorter neighbour by the same
 * speaker ("Yes." "I know."), as far as both fit one cue.
 */
export function joinHasty(phrases: readonly Phrase[], limits: SubtitleLimits): Phrase[] {
  const isHasty = (phrase: Phrase, next: Phrase | undefined) =>
    next !== undefined && next.start_ms - limits.gap_ms - phrase.start_ms < limits.min_ms;
  const joined: Phrase[] = [];
  phrases.forEach((phrase, i) => {
    const last = joined.at(-1);
    const next = phrases[i + 1];
    const suitsNext =
      last && next && mayJoin(phrase, next, limits) && widthOf(next.atoms) < widthOf(last.atoms);
    const oneIsHasty = last && (isHasty(last, phrase) || (isHasty(phrase, next) && !suitsNext));
    if (oneIsHasty && mayJoin(last, phrase, limits)) joined[joined.length - 1] = join(last, phrase);
    else joined.push(phrase);
  });
  return joined;
}

function mayJoin(one: Phrase, other: Phrase, limits: SubtitleLimits): boolean {
  return (
    one.speaker === other.speaker &&
    other.start_ms - one.end_ms < JOINABLE_PAUSE_MS &&
    other.end_ms - one.start_ms <= limits.max_ms &&
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
  };
}

/**
 * The atoms of a segment's text with the times they are spoken at, by their place among the letters of
 * its words; exactly the words' times when the text is theirs, in proportion when it was edited or there
 * are no words. Words are fitted to the segment's own times, which may have been moved.
 */
function spokenAtoms(segment: Segment): SpokenAtom[] {
  const start = wholeMs(segment.start_ms);
  const end = Math.max(wholeMs(segment.end_ms), start + 1);
  const atoms = atomsOf(segment.text);
  const letters = atoms.reduce((sum, atom) => sum + atom.text.length, 0);
  const clock = new SpeechClock(segment, start, end, letters);
  let at = 0;
  return atoms.map((atom) => {
    const start_ms = clock.startOf(at);
    at += atom.text.length;
    return { ...atom, start_ms, end_ms: Math.max(clock.endOf(at), start_ms) };
  });
}

/** Tells when the letter at an offset of a segment's text is spoken. Offsets must be asked for in order. */
class SpeechClock {
  readonly #words: { from: number; to: number; start_ms: number; end_ms: number }[] = [];
  readonly #scale: number;
  readonly #at: (ms: number) => number;
  #current = 0;

  constructor(segment: Segment, start: number, end: number, letters: number) {
    let from = 0;
    for (const word of segment.words) {
      const to = from + word.text.replace(/\s/g, '').length;
      if (to > from) this.#words.push({ from, to, start_ms: word.start_ms, end_ms: word.end_ms });
      from = to;
    }
    const first = this.#words[0]?.start_ms ?? 0;
    const last = this.#words.at(-1)?.end_ms ?? 0;
    const usable = last > first && this.#words.every((word) => word.end_ms >= word.start_ms);
    if (!usable) {
      this.#words = [{ from: 0, to: letters, start_ms: start, end_ms: end }];
      from = letters;
    }
    this.#scale = from / letters;
    const [heardFrom, heardFor] = usable ? [first, last - first] : [start, end - start];
    this.#at = (ms) => {
      const moved = start + ((ms - heardFrom) * (end - start)) / heardFor;
      return Math.round(Math.min(Math.max(moved, start), end));
    };
  }

  startOf(offset: number): number {
    return this.#timeOf(offset * this.#scale, (word, place) => place >= word.to);
  }

  endOf(offset: number): number {
    return this.#timeOf(offset * this.#scale, (word, place) => place > word.to);
  }

  #timeOf(place: number, isPast: (word: { to: number }, place: number) => boolean): number {
    while (this.#current < this.#words.length - 1 && isPast(this.#words[this.#current]!, place))
      this.#current++;
    const word = this.#words[this.#current]!;
    const share = Math.max(0, place - word.from) / (word.to - word.from);
    return this.#at(word.start_ms + share * (word.end_ms - word.start_ms));
  }
}

/** Splits a sentence into parts that fit one cue each. */
import { itemAt } from '../../../shared/checked-access.ts';
import { breakCost, divide, pauseRelief, pieceCost } from './break-costs.ts';
import type { LanguageRules } from './language-rules.ts';
import { neededMs, type SubtitleLimits } from './limits.ts';
import { type Ruler, rulerOf } from './line-breaks.ts';
import type { SpokenAtom } from './spoken-atoms.ts';

const PAUSE_WEIGHT = 12;
// A sentence may end in a pause of this length without a punctuation mark, ms.
const UNMARKED_PAUSE_MS = 250;
// The saving of a break in an unmarked pause: more than an additional cue costs, unless that cue is very short.
const UNMARKED_PAUSE_RELIEF = 12;
// The highest cost of a break between words that do not belong together.
const LOOSE_COST = 4;
// The cost of a break after a comma or colon. A pause there has a mark.
const CLAUSE_COST = -6;
// The cost of each millisecond that is missing for reading a phrase. Half a second costs as much as a break between an
// article and its noun.
const HURRY_COST = 1 / 50;

/**
 * The parts of a sentence, in order. The function computes the cost of each range of atoms that fits a cue: about
 * thirty ranges per ideograph. Therefore it never copies a range, and measures each range in constant time.
 */
export function partsOf(
  atoms: readonly SpokenAtom[],
  limits: SubtitleLimits,
  rules: LanguageRules,
): SpokenAtom[][] {
  const count = atoms.length;
  const columnsOf = rulerOf(atoms);
  const lineEnds = lineEndsOf(count, columnsOf, limits.line_width);
  const starts = Float64Array.from(atoms, ({ start_ms }) => start_ms);
  const ends = Float64Array.from(atoms, ({ end_ms }) => end_ms);
  const durationOf = (from: number, to: number) => itemAt(ends, to - 1) - itemAt(starts, from);
  const hurryOf = (from: number, to: number, columns: number) => {
    if (to === count) return 0;
    const room = itemAt(starts, to) - itemAt(starts, from) - limits.gap_ms;
    return Math.max(0, neededMs(columns, limits) - room);
  };
  const unmarked = atoms.map((atom, i) => isUnmarkedPause(atom, atoms[i + 1], rules));
  return divide(atoms, {
    pieceCost: (from, to) => {
      const columns = columnsOf(from, to);
      const hurry = hurryOf(from, to, columns);
      // The pause may be the end of a sentence, so this cue may end there if it stays readable.
      const relief = unmarked[to - 1] && hurry === 0 ? UNMARKED_PAUSE_RELIEF : 0;
      return pieceCost(columns, durationOf(from, to)) + HURRY_COST * hurry - relief;
    },
    breakCost: (at) => {
      const before = itemAt(atoms, at - 1);
      const after = itemAt(atoms, at);
      return (
        breakCost(before.text, after.text, rules, atoms[at - 2]?.text) -
        pauseRelief(after.start_ms - before.end_ms, PAUSE_WEIGHT)
      );
    },
    tooLong: (from, to) => {
      if (durationOf(from, to) > limits.max_ms) return true;
      if (columnsOf(from, to) <= limits.line_width) return false;
      // The text fits two lines if it fits with the longest possible first line.
      const at = Math.min(itemAt(lineEnds, from), to - 1);
      return at === from || columnsOf(at, to) > limits.line_width;
    },
  });
}

/** Whether a sentence may end in a pause without a mark. False if the words around the pause belong together. */
function isUnmarkedPause(last: SpokenAtom, next: SpokenAtom | undefined, rules: LanguageRules): boolean {
  if (next === undefined || next.start_ms - last.end_ms < UNMARKED_PAUSE_MS) return false;
  const cost = breakCost(last.text, next.text, rules);
  return cost > CLAUSE_COST && cost <= LOOSE_COST;
}

/** For each atom, the end of the longest line that begins with it. For an atom wider than a line, its own index. */
function lineEndsOf(count: number, columnsOf: Ruler, lineWidth: number): Int32Array {
  const lineEnds = new Int32Array(count);
  for (let from = 0, to = 0; from < count; from++) {
    to = Math.max(to, from);
    while (to < count && columnsOf(from, to + 1) <= lineWidth) to++;
    lineEnds[from] = to;
  }
  return lineEnds;
}

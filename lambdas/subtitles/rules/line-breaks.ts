/** Breaks the text of one cue into lines. */
import { itemAt } from '../../../shared/checked-access.ts';
import { addDirectionMarks } from './bidi.ts';
import { breakCost, LEAST_BREAK_COST, splitAfter } from './break-costs.ts';
import type { LanguageRules } from './language-rules.ts';
import { type Atom, joinAtoms, rememberPlainLines } from './text.ts';

export function widthOf(atoms: readonly Atom[]): number {
  return atoms.reduce((sum, atom, i) => sum + atom.width + (i > 0 && atom.spaced ? 1 : 0), 0);
}

/** Returns the width of the atoms from `from` to `to` in constant time. The range must not be empty. See `widthOf`. */
export type Ruler = (from: number, to: number) => number;

export function rulerOf(atoms: readonly Pick<Atom, 'width' | 'spaced'>[]): Ruler {
  const ends = new Float64Array(atoms.length);
  const widths = new Float64Array(atoms.length);
  let columns = 0;
  atoms.forEach(({ width, spaced }, i) => {
    columns += width + (spaced ? 1 : 0);
    ends[i] = columns;
    widths[i] = width;
  });
  return (from, to) => itemAt(ends, to - 1) - itemAt(ends, from) + itemAt(widths, from);
}

export function fitsTwoLines(atoms: readonly Atom[], lineWidth: number): boolean {
  const total = widthOf(atoms);
  if (total <= lineWidth) return true;
  if (total > 2 * lineWidth + 1) return false;
  const columnsOf = rulerOf(atoms);
  return atoms.some((_, at) => {
    return at > 0 && columnsOf(0, at) <= lineWidth && columnsOf(at, atoms.length) <= lineWidth;
  });
}

export const linesWritten = <Some extends Atom>(atoms: readonly Some[]): Some[][] =>
  splitAfter(atoms, (_, { opensLine }) => opensLine === true);

/**
 * Lays out the text of a cue. Two written lines that fit are kept (two speakers, for instance). Any other text takes
 * one line if it fits, and two lines if not. The break is where the language allows it best. The two lines have similar
 * lengths, and the longer line is preferably below. A word that is wider than a line overflows: words are never cut.
 */
export function layLines(atoms: readonly Atom[], lineWidth: number, rules: LanguageRules): string[] {
  const written = linesWritten(atoms);
  const isLaid = written.length === 2 && written.every((line) => widthOf(line) <= lineWidth);
  if (isLaid) return laid(written);
  const columnsOf = rulerOf(atoms);
  if (atoms.length < 2 || columnsOf(0, atoms.length) <= lineWidth) return laid([atoms]);
  let best = Number.POSITIVE_INFINITY;
  let at = 1;
  for (let i = 1; i < atoms.length; i++) {
    const shape = shapeCost(columnsOf(0, i), columnsOf(i, atoms.length), lineWidth);
    if (shape + LEAST_BREAK_COST >= best) continue;
    const cost =
      shape + breakCost(itemAt(atoms, i - 1).text, itemAt(atoms, i).text, rules, atoms[i - 2]?.text);
    if (cost < best) {
      best = cost;
      at = i;
    }
  }
  return laid([atoms.slice(0, at), atoms.slice(at)]);
}

const laid = (lines: readonly (readonly Atom[])[]) =>
  rememberPlainLines(addDirectionMarks(lines.map(joinAtoms)));

function shapeCost(above: number, below: number, lineWidth: number): number {
  const overflow = Math.max(0, above - lineWidth) + Math.max(0, below - lineWidth);
  const unevenness = above > below ? 0.45 * (above - below) : 0.3 * (below - above);
  return 1000 * overflow + unevenness;
}

/** Lays out simultaneous speech and written dialogues. Each speaker has one line, which begins with a dash. */
import { defined, itemAt } from '../../../shared/checked-access.ts';
import type { Segment } from '../../../shared/segments.ts';
import type { Span, SubtitleLimits } from './limits.ts';
import { linesWritten, widthOf } from './line-breaks.ts';
import { type Atom, atomsOf } from './text.ts';
import { wholeMs } from './timestamps.ts';

/** Two segments that share a cue: their places in the list, and their two lines. */
export type Duet = { places: readonly [number, number]; atoms: Atom[]; span: Span };

// Netflix Timed Text Style Guide, "Dual Speakers": two speakers in one subtitle have one line each, after a hyphen.
/** Two segments share a cue if they overlap for this share of the longer segment. */
const TOGETHER = 2 / 3;

/**
 * Finds pairs of neighboring segments that two people speak at the same time. The text of each must fit one line. Both
 * segments must have automatic times, or both must have set times.
 */
export function duetsOf(segments: readonly Segment[], limits: SubtitleLimits): Duet[] {
  const places = [...segments.keys()].sort(
    (one, other) => itemAt(segments, one).start_ms - itemAt(segments, other).start_ms || one - other,
  );
  const duets: Duet[] = [];
  for (let i = 1; i < places.length; i++) {
    const pair = [itemAt(places, i - 1), itemAt(places, i)] as const;
    const duet = duetOf(pair, segments, limits);
    if (duet === null) continue;
    duets.push(duet);
    i++;
  }
  return duets;
}

function duetOf(
  places: readonly [number, number],
  segments: readonly Segment[],
  limits: SubtitleLimits,
): Duet | null {
  const [one, other] = [defined(segments[places[0]]), defined(segments[places[1]])];
  const span = {
    start_ms: wholeMs(Math.min(one.start_ms, other.start_ms)),
    end_ms: wholeMs(Math.max(one.end_ms, other.end_ms)),
  };
  const isOneKind = (one.timing === 'set') === (other.timing === 'set');
  const isTogether = isOneKind && one.speaker !== other.speaker && areTogether(one, other);
  if (!isTogether || span.end_ms - span.start_ms > limits.max_ms) return null;
  const lines = [addDash(one.text), addDash(other.text)];
  const areLines = lines.every((line) => line && widthOf(line) <= limits.line_width);
  return areLines ? { places, span, atoms: asLines(lines as Atom[][]) } : null;
}

function areTogether(one: Segment, other: Segment): boolean {
  const shared = Math.min(one.end_ms, other.end_ms) - Math.max(one.start_ms, other.start_ms);
  const longer = Math.max(one.end_ms - one.start_ms, other.end_ms - other.start_ms);
  return shared > 0 && shared >= TOGETHER * longer;
}

/** The text on one line after a dash. Null if it has several lines. */
function addDash(text: string): Atom[] | null {
  const [first, ...others] = atomsOf(text);
  if (first === undefined || others.some(({ opensLine }) => opensLine)) return null;
  return [{ text: '-', spaced: false, width: 1 }, { ...first, spaced: true }, ...others];
}

const asLines = ([first, second]: Atom[][]): Atom[] => [
  ...defined(first),
  { ...itemAt(defined(second), 0), spaced: true, opensLine: true },
  ...defined(second).slice(1),
];

// A dash before a number is a minus sign.
const DASH = /^[-‐–—](?![\p{N}])/u;

/**
 * Groups the lines of a dialogue, which is a text with a dash before every line. Two successive lines that both fit form one
 * group: a subtitle of two speakers. Any other line is a group alone, without its dash. Null if the text is not a dialogue.
 */
export function groupDialogue<Some extends Atom>(atoms: readonly Some[], lineWidth: number): Some[][] | null {
  const lines = linesWritten(atoms);
  if (lines.length < 2 || !lines.every(([first]) => DASH.test(defined(first).text))) return null;
  const fits = (line: Some[] | undefined) => line !== undefined && widthOf(line) <= lineWidth;
  const groups: Some[][] = [];
  for (let i = 0; i < lines.length; i++) {
    if (fits(lines[i]) && fits(lines[i + 1])) groups.push([...itemAt(lines, i), ...defined(lines[++i])]);
    else groups.push(withoutDash(itemAt(lines, i)));
  }
  return groups.filter((group) => group.length > 0);
}

function withoutDash<Some extends Atom>([first, ...others]: readonly Some[]): Some[] {
  const text = defined(first).text.replace(DASH, '');
  const { opensLine: _, ...rest } = defined(first);
  return text === ''
    ? others
    : [{ ...rest, text, width: Math.max(defined(first).width - 1, 1) } as Some, ...others];
}

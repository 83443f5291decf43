/** What people say at the same time, and what is written as a dialogue: a line for each speaker, after a dash. */

import type { Segment } from '../../../shared/segments.ts';
import type { SubtitleLimits } from './limits.ts';
import { linesWritten, widthOf } from './line-breaks.ts';
import type { Span } from './reading-time.ts';
import { type Atom, atomsOf } from './text.ts';
import { wholeMs } from './timestamps.ts';

/** Two segments that are shown together: their places in the list, and the two lines. */
export type Duet = { places: readonly [number, number]; atoms: Atom[]; span: Span };

// Netflix Timed Text Style Guide, "Dual Speakers": two speakers in one subtitle have a line each, after a hyphen.
/** The part of the longer segment's time that must be the shorter one's too. */
const TOGETHER = 2 / 3;

/**
 * Neighbours in time that two speakers say together, where a line holds what each says. Both were heard, or the times of both
 * were set.
 */
export function duetsOf(segments: readonly Segment[], limits: SubtitleLimits): Duet[] {
  const places = [...segments.keys()].sort(
    (one, other) => segments[one]!.start_ms - segments[other]!.start_ms || one - other,
  );
  const duets: Duet[] = [];
  for (let i = 1; i < places.length; i++) {
    const pair = [places[i - 1]!, places[i]!] as const;
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
  const [one, other] = [segments[places[0]]!, segments[places[1]]!];
  const span = {
    start_ms: wholeMs(Math.min(one.start_ms, other.start_ms)),
    end_ms: wholeMs(Math.max(one.end_ms, other.end_ms)),
  };
  const isOneKind = (one.timing === 'set') === (other.timing === 'set');
  const isTogether = isOneKind && one.speaker !== other.speaker && areTogether(one, other);
  if (!isTogether || span.end_ms - span.start_ms > limits.max_ms) return null;
  const lines = [dashed(one.text), dashed(other.text)];
  const areLines = lines.every((line) => line && widthOf(line) <= limits.line_width);
  return areLines ? { places, span, atoms: asLines(lines as Atom[][]) } : null;
}

function areTogether(one: Segment, other: Segment): boolean {
  const shared = Math.min(one.end_ms, other.end_ms) - Math.max(one.start_ms, other.start_ms);
  const longer = Math.max(one.end_ms - one.start_ms, other.end_ms - other.start_ms);
  return shared > 0 && shared >= TOGETHER * longer;
}

/** A text on one line after a dash; null where it is on several. */
function dashed(text: string): Atom[] | null {
  const [first, ...others] = atomsOf(text);
  if (first === undefined || others.some(({ opensLine }) => opensLine)) return null;
  return [{ text: '-', spaced: false, width: 1 }, { ...first, spaced: true }, ...others];
}

const asLines = ([first, second]: Atom[][]): Atom[] => [
  ...first!,
  { ...second![0]!, spaced: true, opensLine: true },
  ...second!.slice(1),
];

// A dash before a number is a minus.
const DASH = /^[-‐–—](?![\p{N}])/u;

/**
 * The turns of a text that is written as a dialogue, every line after a dash: two by two where a line holds each, else
 * one by one and without the dash, which says nothing where only one speaks. Null where it is no dialogue.
 */
export function turnsOf<Some extends Atom>(atoms: readonly Some[], lineWidth: number): Some[][] | null {
  const lines = linesWritten(atoms);
  if (lines.length < 2 || !lines.every(([first]) => DASH.test(first!.text))) return null;
  const fits = (line: Some[] | undefined) => line !== undefined && widthOf(line) <= lineWidth;
  const turns: Some[][] = [];
  for (let i = 0; i < lines.length; i++) {
    if (fits(lines[i]) && fits(lines[i + 1])) turns.push([...lines[i]!, ...lines[++i]!]);
    else turns.push(withoutDash(lines[i]!));
  }
  return turns.filter((turn) => turn.length > 0);
}

function withoutDash<Some extends Atom>([first, ...others]: readonly Some[]): Some[] {
  const text = first!.text.replace(DASH, '');
  const { opensLine: _, ...rest } = first!;
  return text === '' ? others : [{ ...rest, text, width: Math.max(first!.width - 1, 1) } as Some, ...others];
}

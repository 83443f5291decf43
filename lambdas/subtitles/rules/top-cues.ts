/** Joins cues at the top to the cues below, for formats that show all text in one place. */
import { itemAt } from '../../../shared/checked-access.ts';
import { type Cue, overlap } from './cue.ts';
import { findLanguageRules, type LanguageRules } from './language-rules.ts';
import { BROADCAST_LIMITS } from './limits.ts';
import { fitsTwoLines, layLines } from './line-breaks.ts';
import { displayWidth } from './script.ts';
import { atomsOf } from './text.ts';

/**
 * Joins each cue at the top with the cue at the bottom that it overlaps longest ("[applause]" above the speech). A cue
 * at the top stays separate if it overlaps no cue at the bottom. The joined cue has two lines. If the text fills both
 * lines, the sound becomes a third line on top. The result has no positions. The cues must be ordered by start.
 */
export function joinTopCues(cues: readonly Cue[], language?: string): Cue[] {
  if (cues.every((cue) => cue.position === undefined)) return [...cues];
  const below = cues.filter((cue) => cue.position === undefined).map((cue) => ({ ...cue }));
  const alone: Cue[] = [];
  let at = 0;
  for (const { position: _, ...cue } of cues.filter((cue) => cue.position === 'top')) {
    while (at < below.length && itemAt(below, at).end_ms <= cue.start_ms) at++;
    const host = longestOverlap(cue, below, at);
    if (host) host.lines = withLabel(cue.lines, host.lines, findLanguageRules(language));
    else alone.push(cue);
  }
  return [...below, ...alone].sort((one, other) => one.start_ms - other.start_ms);
}

function longestOverlap(cue: Cue, below: readonly Cue[], from: number): Cue | undefined {
  const shared = (other: Cue) => Math.min(cue.end_ms, other.end_ms) - Math.max(cue.start_ms, other.start_ms);
  let host: Cue | undefined;
  for (let i = from; i < below.length && itemAt(below, i).start_ms < cue.end_ms; i++) {
    const candidate = itemAt(below, i);
    if (overlap(cue, candidate) && (!host || shared(candidate) > shared(host))) host = candidate;
  }
  return host;
}

function withLabel(label: string[], lines: string[], rules: LanguageRules): string[] {
  if (label.length + lines.length <= 2) return [...label, ...lines];
  const width = BROADCAST_LIMITS.line_width;
  const [first, ...others] = lines;
  const opening = `${label.join(' ')} ${first ?? ''}`;
  if (lines.length === 2 && displayWidth(opening) <= width) return [opening, ...others];
  const atoms = atomsOf([...label, ...lines].join(' '));
  return fitsTwoLines(atoms, width) ? layLines(atoms, width, rules) : [...label, ...lines];
}

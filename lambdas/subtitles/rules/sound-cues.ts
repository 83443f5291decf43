/** Sound descriptions as cues beside the speech, and merged into it where a format has only one place. */

import { type Cue, overlap } from './cue.ts';
import type { LanguageRules } from './language-rules.ts';
import { rulesOf } from './language-rules.ts';
import { BROADCAST_LIMITS, type SubtitleLimits } from './limits.ts';
import { fitsTwoLines, layLines } from './line-breaks.ts';
import { displayWidth } from './script.ts';
import { atomsOf, cleanText } from './text.ts';
import { wholeMs } from './timestamps.ts';

/** What is heard besides speech ("applause"). Milliseconds from the start of the media. */
export type SoundDescription = { start_ms: number; end_ms: number; text: string };

/**
 * Cues for sounds, in brackets, between 5/6 s and 7 s long, within the media and never two at once. One that
 * sounds on into speech gives way to it if it was seen long enough by then; otherwise it stands at the top.
 */
export function soundCues(
  sounds: readonly SoundDescription[],
  speech: readonly Cue[],
  limits: SubtitleLimits,
  rules: LanguageRules,
  mediaEnd = Number.MAX_SAFE_INTEGER,
): Cue[] {
  const heard = sounds
    .map(({ start_ms, end_ms, text }) => ({
      start_ms: wholeMs(start_ms),
      end_ms: wholeMs(end_ms),
      text: bracketed(text),
    }))
    .filter(({ text, start_ms }) => text !== '[]' && start_ms < mediaEnd)
    .sort((one, other) => one.start_ms - other.start_ms);

  const cues: Cue[] = [];
  let at = 0;
  let free = 0;
  for (const sound of heard) {
    const start_ms = Math.max(Math.min(sound.start_ms, mediaEnd - limits.min_ms), free);
    if (start_ms >= mediaEnd) break;
    const longEnough = Math.max(sound.end_ms, start_ms + limits.min_ms);
    const cue: Cue = {
      start_ms,
      end_ms: Math.min(longEnough, start_ms + limits.max_ms, mediaEnd),
      lines: layLines(atomsOf(sound.text), limits.line_width, rules),
      speaker: null,
    };
    while (at < speech.length && speech[at]!.end_ms <= start_ms) at++;
    cues.push(besideSpeech(cue, speech[at], limits));
    free = cues.at(-1)!.end_ms + limits.gap_ms;
  }
  return cues;
}

function besideSpeech(sound: Cue, speech: Cue | undefined, limits: SubtitleLimits): Cue {
  if (!speech || !overlap(sound, speech)) return sound;
  const givesWayAt = speech.start_ms - limits.gap_ms;
  const wasSeen = givesWayAt - sound.start_ms >= limits.min_ms;
  return wasSeen ? { ...sound, end_ms: givesWayAt } : { ...sound, position: 'top' };
}

function bracketed(text: string): string {
  const inner = cleanText(text).replace(/^[[(]+|[\])]+$/g, '');
  return `[${inner.trim()}]`;
}

/**
 * The cues for a format that shows them in one place only: a cue at the top joins the cue below that it
 * overlaps longest ("[applause]" above what is said), and stands alone if there is none. Two lines, or a
 * third on top when the text fills both already. Nothing keeps a position. For cues in order of their start.
 */
export function inOnePlace(cues: readonly Cue[], language?: string): Cue[] {
  if (cues.every((cue) => cue.position === undefined)) return [...cues];
  const below = cues.filter((cue) => cue.position === undefined).map((cue) => ({ ...cue }));
  const alone: Cue[] = [];
  let at = 0;
  for (const { position: _, ...cue } of cues.filter((cue) => cue.position === 'top')) {
    while (at < below.length && below[at]!.end_ms <= cue.start_ms) at++;
    const host = longestOverlap(cue, below, at);
    if (host) host.lines = withLabel(cue.lines, host.lines, rulesOf(language));
    else alone.push(cue);
  }
  return [...below, ...alone].sort((one, other) => one.start_ms - other.start_ms);
}

function longestOverlap(cue: Cue, below: readonly Cue[], from: number): Cue | undefined {
  const shared = (other: Cue) => Math.min(cue.end_ms, other.end_ms) - Math.max(cue.start_ms, other.start_ms);
  let host: Cue | undefined;
  for (let i = from; i < below.length && below[i]!.start_ms < cue.end_ms; i++) {
    const candidate = below[i]!;
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

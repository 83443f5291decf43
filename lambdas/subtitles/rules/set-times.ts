/** Cues of segments whose times somebody set: within these, and sharing them where they overlap. */

import { showFreely } from './free-times.ts';
import type { SubtitleLimits } from './limits.ts';
import { neededMs, type Span, type Spoken } from './spoken.ts';

/** A cue as it would be shown if it were alone. */
export type HeldCue = Span & {
  /** Of its phrase, in the list of all. */
  place: number;
  /** The times that it must not leave. */
  window: Span;
  /** How long it must be on screen to be read. */
  needed_ms: number;
};

/** How exactly the time of overlapping segments is shared out: one part in so many of the shortest time. */
const SHARES = 1024;

/**
 * The cues of what is held, in order: those of a segment fill its times, from its start to its end. A segment shorter than
 * 5/6 s keeps its start, and has the time after it until another that was set begins. None reaches beyond the end of
 * the media.
 */
export function heldCues(spoken: readonly Spoken[], limits: SubtitleLimits, mediaEnd: number): HeldCue[] {
  const groups = new Map<Span, number[]>();
  spoken.forEach(({ held }, place) => {
    if (!held) return;
    const group = groups.get(held);
    if (group) group.push(place);
    else groups.set(held, [place]);
  });
  const spans = [...groups.keys()].sort((one, other) => one.start_ms - other.start_ms);
  return spans.flatMap((span) => {
    const next = spans[firstFrom(span.end_ms, spans)];
    const window = windowOf(span, next?.start_ms ?? mediaEnd, limits, mediaEnd);
    const places = groups.get(span)!;
    const phrases = places.map((place) => spoken[place]!);
    const cues = showFreely(phrases, limits, { ...window, isFollowed: false });
    cues[0]!.start_ms = window.start_ms;
    cues.at(-1)!.end_ms = window.end_ms;
    return cues.map((cue, nth): HeldCue => {
      const needed_ms = neededMs(phrases[nth]!.columns, limits);
      const start_ms = Math.max(cue.start_ms, window.start_ms);
      return { ...cue, start_ms, place: places[nth]!, window, needed_ms };
    });
  });
}

/** Which of the spans, in order of their starts, is the first that begins at a time or later. */
function firstFrom(ms: number, spans: readonly Span[]): number {
  let from = 0;
  let to = spans.length;
  while (from < to) {
    const middle = (from + to) >> 1;
    if (spans[middle]!.start_ms < ms) from = middle + 1;
    else to = middle;
  }
  return from;
}

function windowOf(span: Span, nextStart: number, { min_ms }: SubtitleLimits, mediaEnd: number): Span {
  const isThere = span.start_ms < mediaEnd;
  const start_ms = isThere ? span.start_ms : Math.max(mediaEnd - min_ms, 0);
  const borrowed = Math.min(start_ms + min_ms, nextStart);
  return { start_ms, end_ms: Math.min(Math.max(span.end_ms, borrowed, start_ms + 1), mediaEnd) };
}

/**
 * The times of held cues, which come in the order of their starts. Where windows overlap, each cue begins as it would alone
 * and ends where the next begins, unless one of them would be too short to be read and the other has time to spare.
 */
export function showHeld(cues: readonly HeldCue[], limits: SubtitleLimits): Span[] {
  const shown: Span[] = [];
  for (let from = 0; from < cues.length; ) {
    const to = endOfOverlap(cues, from);
    const overlapping = cues.slice(from, to);
    for (const span of isAlone(overlapping) ? overlapping : shared(overlapping, limits)) shown.push(span);
    from = to;
  }
  return shown.map((cue, i) => withGap(cue, shown[i + 1], limits));
}

/** Up to which cue windows overlap with those before them. */
function endOfOverlap(cues: readonly HeldCue[], from: number): number {
  let reach = cues[from]!.window.end_ms;
  let to = from + 1;
  while (to < cues.length && cues[to]!.window.start_ms < reach) {
    reach = Math.max(reach, cues[to]!.window.end_ms);
    to++;
  }
  return to;
}

const isAlone = (cues: readonly HeldCue[]) => cues.every(({ window }) => window === cues[0]!.window);

function shared(cues: readonly HeldCue[], given: SubtitleLimits): Span[] {
  const limits = affordable(cues, given);
  const { min_ms, gap_ms } = limits;
  // The latest ends that leave those after the shortest time, and enough to be read.
  const latest = endsBefore(cues, gap_ms, () => min_ms);
  const roomy = endsBefore(cues, gap_ms, ({ needed_ms }) => needed_ms);
  let free = 0;
  return cues.map((cue, i): Span => {
    const start_ms = Math.min(Math.max(cue.start_ms, free), latest[i]! - min_ms);
    const alone = Math.min(cue.end_ms, (cues[i + 1]?.start_ms ?? Number.POSITIVE_INFINITY) - gap_ms);
    const readable = Math.min(start_ms + cue.needed_ms, roomy[i]!);
    const end_ms = Math.min(Math.max(alone, readable, start_ms + min_ms), latest[i]!);
    free = end_ms + gap_ms;
    return { start_ms, end_ms };
  });
}

function endsBefore(cues: readonly HeldCue[], gap_ms: number, time: (cue: HeldCue) => number): number[] {
  const ends: number[] = [];
  let last = Number.POSITIVE_INFINITY;
  for (const cue of cues.toReversed()) {
    last = Math.min(last, cue.window.end_ms);
    ends.push(last);
    last -= time(cue) + gap_ms;
  }
  return ends.reverse();
}

/** The limits with the largest share of the shortest time and the gap that all of the cues can have in their windows. */
function affordable(cues: readonly HeldCue[], limits: SubtitleLimits): SubtitleLimits {
  const shareOf = (parts: number): SubtitleLimits => ({
    ...limits,
    min_ms: Math.max(Math.floor((limits.min_ms * parts) / SHARES), 1),
    gap_ms: Math.floor((limits.gap_ms * parts) / SHARES),
  });
  let enough = 0;
  let tooMuch = SHARES + 1;
  while (tooMuch - enough > 1) {
    const middle = (enough + tooMuch) >> 1;
    if (allFit(cues, shareOf(middle))) enough = middle;
    else tooMuch = middle;
  }
  return shareOf(enough);
}

function allFit(cues: readonly HeldCue[], { min_ms, gap_ms }: SubtitleLimits): boolean {
  let free = 0;
  return cues.every(({ window }) => {
    const end_ms = Math.max(window.start_ms, free) + min_ms;
    free = end_ms + gap_ms;
    return end_ms <= window.end_ms;
  });
}

/** Two frames before the next cue, unless it would be too short then. */
function withGap(cue: Span, next: Span | undefined, { gap_ms, min_ms }: SubtitleLimits): Span {
  const { start_ms, end_ms } = cue;
  if (next === undefined || end_ms > next.start_ms) return { start_ms, end_ms };
  const shortest = Math.min(end_ms, start_ms + min_ms);
  return { start_ms, end_ms: Math.min(end_ms, Math.max(next.start_ms - gap_ms, shortest)) };
}

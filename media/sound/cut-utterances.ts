/** Where speech is cut, so that a recogniser gets it in stretches of at most 12 s. */
import type { Span } from './find-heard-spans.ts';

/** Frames of 10 ms, as all numbers here. */
const LONGEST = 1_200;
/** A pause of this length always ends an utterance … */
const SURE_PAUSE = 70;
/** … and one of this length if what it parts is long enough on both sides to be understood by itself. */
const LIKELY_PAUSE = 45;
const UNDERSTOOD = 300;
/** So much of a pause is heard along with the speech beside it, half of it at most. */
const PADDING = 20;
/** No cut for the length alone leaves less than this. */
const LEAST = 200;

/**
 * Utterances of the stretches in which somebody is heard: in order, apart, at most 12 s each, padded into the
 * pauses around them. Speech of more than 12 s is cut in its longest pauses, however short they are; where there
 * are none, in the quietest places.
 *
 * @param heard no two of them touch
 * @param level of each frame, dB
 */
export function cutUtterances(heard: readonly Span[], level: Float32Array): Span[] {
  const utterances = apart(heard, SURE_PAUSE)
    .flatMap((spans) => partedWherePossible(spans))
    .flatMap((spans) => partedWhereNeeded(spans))
    .flatMap((spans) => cutWhereNeeded({ from: spans[0]!.from, to: spans.at(-1)!.to }, level));
  return utterances.map((span, i) => padded(span, utterances[i - 1], utterances[i + 1], level.length));
}

/** Lists of spans between which there are at least `pause` frames. */
function apart(heard: readonly Span[], pause: number): Span[][] {
  const lists: Span[][] = [];
  for (const span of heard) {
    const last = lists.at(-1);
    if (last && span.from - last.at(-1)!.to < pause) last.push(span);
    else lists.push([span]);
  }
  return lists;
}

const lengthOf = (spans: readonly Span[]) => spans.at(-1)!.to - spans[0]!.from;

/** Parted in likely pauses, the longest first. */
function partedWherePossible(spans: Span[]): Span[][] {
  const at = longestPause(spans, LIKELY_PAUSE, UNDERSTOOD);
  if (at === null) return [spans];
  return [...partedWherePossible(spans.slice(0, at)), ...partedWherePossible(spans.slice(at))];
}

/** Parted in any pauses, the longest first, as long as a part is too long. */
function partedWhereNeeded(spans: Span[]): Span[][] {
  const at = lengthOf(spans) > LONGEST - 2 * PADDING ? longestPause(spans, 0, LEAST) : null;
  if (at === null) return [spans];
  return [...partedWhereNeeded(spans.slice(0, at)), ...partedWhereNeeded(spans.slice(at))];
}

/** The index of the span behind the longest pause that leaves `least` frames on both sides. */
function longestPause(spans: readonly Span[], shortest: number, least: number): number | null {
  let best: number | null = null;
  let length = shortest;
  for (let i = 1; i < spans.length; i++) {
    const pause = spans[i]!.from - spans[i - 1]!.to;
    const leavesEnough =
      spans[i - 1]!.to - spans[0]!.from >= least && spans.at(-1)!.to - spans[i]!.from >= least;
    if (pause < length || !leavesEnough) continue;
    best = i;
    length = pause;
  }
  return best;
}

/** Cut in the quietest places of its second half, again and again, until each part is short enough. */
function cutWhereNeeded(span: Span, level: Float32Array): Span[] {
  const parts: Span[] = [];
  let from = span.from;
  while (span.to - from > LONGEST - 2 * PADDING) {
    const last = Math.min(from + LONGEST - 2 * PADDING, span.to - LEAST);
    const cut = quietest(level, from + LONGEST / 2, last);
    parts.push({ from, to: cut });
    from = cut;
  }
  return [...parts, { from, to: span.to }];
}

/** Quiet for a moment, not for one frame between two pulses of a voice. */
const MOMENT = 5;

function quietest(level: Float32Array, from: number, to: number): number {
  let best = from;
  let least = Infinity;
  for (let at = from; at <= to; at++) {
    let sum = 0;
    for (let i = at - MOMENT; i <= at + MOMENT; i++) sum += level[i]!;
    if (sum >= least) continue;
    best = at;
    least = sum;
  }
  return best;
}

function padded(span: Span, before: Span | undefined, after: Span | undefined, length: number): Span {
  const roomBefore = before ? (span.from - before.to) >> 1 : span.from;
  const roomAfter = after ? (after.from - span.to) >> 1 : length - span.to;
  return { from: span.from - Math.min(PADDING, roomBefore), to: span.to + Math.min(PADDING, roomAfter) };
}

/** Cuts speech into utterances of at most 12 s for speech recognizers. */
import type { Span } from './find-heard-spans.ts';

/** The maximum length of an utterance, in frames of 10 ms. All numbers here are in frames. */
const LONGEST = 1_200;
/** A pause of this length always ends an utterance. */
const SURE_PAUSE = 70;
/** A pause of this length ends an utterance if both sides have at least the length `UNDERSTOOD`, and so can be understood separately. */
const LIKELY_PAUSE = 45;
const UNDERSTOOD = 300;
/** The length of the pause that an utterance includes at each end: at most half of the whole pause. */
const PADDING = 20;
/** The minimum length of both sides if an utterance is cut only because it is too long. */
const LEAST = 200;

/** Cuts in the longest pauses, or in the quietest places. @param heard spans with gaps between them @param level in dB */
export function cutUtterances(heard: readonly Span[], level: Float32Array): Span[] {
  const utterances = splitAtPauses(heard, SURE_PAUSE)
    .flatMap((spans) => partedWherePossible(spans))
    .flatMap((spans) => partedWhereNeeded(spans))
    .flatMap((spans) => cutWhereNeeded({ from: spans[0]!.from, to: spans.at(-1)!.to }, level));
  return utterances.map((span, i) => padded(span, utterances[i - 1], utterances[i + 1], level.length));
}

/** Groups spans. Between two groups, there is a gap of at least `pause` frames. */
function splitAtPauses(heard: readonly Span[], pause: number): Span[][] {
  const lists: Span[][] = [];
  for (const span of heard) {
    const last = lists.at(-1);
    if (last && span.from - last.at(-1)!.to < pause) last.push(span);
    else lists.push([span]);
  }
  return lists;
}

const lengthOf = (spans: readonly Span[]) => spans.at(-1)!.to - spans[0]!.from;

/** Splits at pauses of at least `LIKELY_PAUSE`, the longest pauses first. */
function partedWherePossible(spans: Span[]): Span[][] {
  const at = longestPause(spans, LIKELY_PAUSE, UNDERSTOOD);
  if (at === null) return [spans];
  return [...partedWherePossible(spans.slice(0, at)), ...partedWherePossible(spans.slice(at))];
}

/** Splits parts that are too long at any pause, the longest pauses first. */
function partedWhereNeeded(spans: Span[]): Span[][] {
  const at = lengthOf(spans) > LONGEST - 2 * PADDING ? longestPause(spans, 0, LEAST) : null;
  if (at === null) return [spans];
  return [...partedWhereNeeded(spans.slice(0, at)), ...partedWhereNeeded(spans.slice(at))];
}

/** Returns the index of the span after the longest pause. Both sides of the pause must have at least `least` frames. */
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

/** Cuts at the quietest place of the second half, and repeats this until each part is short enough. */
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

/** The number of frames whose mean is the level of a place. It is several frames, because a voice is also quiet between two pulses. */
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

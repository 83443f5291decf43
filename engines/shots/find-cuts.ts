/** Hard cuts: one step between two frames that is larger than all around it, and after which the picture stays another. */
import type { Frame } from '../../media/pictures/decode-pictures.ts';
import { difference, meanOf } from './compare-frames.ts';
import type { Boundary } from './port.ts';

/** A smaller step is none that anyone sees. */
const LEAST_STEP = 4;
/** How much larger than any step around it, which motion, grain and flashes make alike. */
const LEAST_RATIO = 2;
/** Around: before and after, ms, and at least so many frames. A flash is over within it. */
const AROUND_MS = 200;
const LEAST_AROUND = 4;
/** Frames beside a cut that may be mixtures of both sides, as conversions of the frame rate leave them: their steps belong to it. */
const BLENDED = 2;
/** How much of the step is still seen between what was before and what comes after, grain averaged out. */
const LASTING = 0.35;

/** @param steps how much each frame differs from the one before; 0 for the first */
export function cutsIn(frames: readonly Frame[], steps: Float64Array): Boundary[] {
  const found: Boundary[] = [];
  for (let at = 1; at < frames.length; at += 1) {
    const step = steps[at]!;
    if (step < LEAST_STEP || !isPeak(steps, at)) continue;
    const [from, to] = around(frames, at);
    let others = 0;
    for (let near = from; near < to; near += 1)
      if (Math.abs(near - at) > BLENDED) others = Math.max(others, steps[near]!);
    if (step < LEAST_RATIO * others) continue;
    const before = meanOf(frames, from, Math.max(from + 1, at - BLENDED));
    const after = meanOf(frames, Math.min(to - 1, at + BLENDED), to);
    const lasts = difference(before, after) / step;
    if (lasts < LASTING) continue;
    found.push({ frame: at, transition: 'cut', confidence: Math.min(1, step / (step + 2 * others)) });
  }
  return found;
}

/** Whether no step beside it, of the same cut, is larger; of two alike the first is it. */
function isPeak(steps: Float64Array, at: number): boolean {
  for (let near = Math.max(0, at - BLENDED); near <= at + BLENDED && near < steps.length; near += 1) {
    if (near !== at && (steps[near]! > steps[at]! || (steps[near] === steps[at] && near < at))) return false;
  }
  return true;
}

/** The places of the frames around one: first, and the first beyond. */
function around(frames: readonly Frame[], at: number): [number, number] {
  const here = frames[at]!.at_ms;
  let from = at;
  while (from > 1 && (at - from < LEAST_AROUND || here - frames[from - 1]!.at_ms <= AROUND_MS)) from -= 1;
  let to = at + 1;
  while (to < frames.length && (to - at <= LEAST_AROUND || frames[to]!.at_ms - here <= AROUND_MS)) to += 1;
  return [from, to];
}

/** How much each frame differs from the one before. */
export function stepsOf(frames: readonly Frame[]): Float64Array {
  const steps = new Float64Array(frames.length);
  for (let at = 1; at < frames.length; at += 1)
    steps[at] = difference(frames[at - 1]!.planes, frames[at]!.planes);
  return steps;
}

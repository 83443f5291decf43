/** Finds cuts. At a cut, the difference between two frames is larger than all differences around it, and the picture stays different. */
import type { Frame } from '../../media/pictures/decode-pictures.ts';
import { difference, meanOf } from './compare-frames.ts';
import type { Boundary } from './port.ts';

/** The minimum step of a cut. A step is the difference between two consecutive frames. A smaller step is not visible. */
const MIN_STEP = 4;
/** The minimum step of a cut, as a multiple of the largest other step around it. Motion, grain and flashes cause several similar steps. */
const MIN_RATIO = 2;
/** The minimum range of frames on each side of a cut, in ms and in frames. It is longer than a flash. */
const AROUND_MS = 200;
const MIN_AROUND = 4;
/** The number of frames next to a cut that may be a mixture of both shots. A conversion of the frame rate makes such frames. */
const BLENDED = 2;
/**
 * The minimum difference between the mean pictures before and after a cut, as a share of the step. Means differ less, because they
 * have less grain.
 */
const MIN_LASTING = 0.35;

export function findCuts(frames: readonly Frame[]): Boundary[] {
  const found: Boundary[] = [];
  const steps = Float64Array.from(frames, ({ planes }, at) =>
    at === 0 ? 0 : difference(frames[at - 1]!.planes, planes),
  );
  for (let at = 1; at < frames.length; at += 1) {
    const step = steps[at]!;
    if (step < MIN_STEP || !isPeak(steps, at)) continue;
    const [from, to] = around(frames, at);
    let others = 0;
    for (let near = from; near < to; near += 1)
      if (Math.abs(near - at) > BLENDED) others = Math.max(others, steps[near]!);
    if (step < MIN_RATIO * others) continue;
    const before = meanOf(frames, from, Math.max(from + 1, at - BLENDED));
    const after = meanOf(frames, Math.min(to - 1, at + BLENDED), to);
    const lasts = difference(before, after) / step;
    if (lasts < MIN_LASTING) continue;
    found.push({ frame: at, transition: 'cut', confidence: Math.min(1, step / (step + 2 * others)) });
  }
  return found;
}

/** Returns true if no step near this one is larger. If two steps are equal, only the first is a peak. */
function isPeak(steps: Float64Array, at: number): boolean {
  for (let near = Math.max(0, at - BLENDED); near <= at + BLENDED && near < steps.length; near += 1) {
    if (near !== at && (steps[near]! > steps[at]! || (steps[near] === steps[at] && near < at))) return false;
  }
  return true;
}

function around(frames: readonly Frame[], at: number): [number, number] {
  const here = frames[at]!.at_ms;
  let from = at;
  while (from > 1 && (at - from < MIN_AROUND || here - frames[from - 1]!.at_ms <= AROUND_MS)) from -= 1;
  let to = at + 1;
  while (to < frames.length && (to - at <= MIN_AROUND || frames[to]!.at_ms - here <= AROUND_MS)) to += 1;
  return [from, to];
}

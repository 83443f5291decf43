/** Finds fades through black or white. The light of a frame is its distance from black or from white. */
import type { Frame } from '../../media/pictures/decode-pictures.ts';
import { BLACK, distanceFrom, MAX_EMPTY_DISTANCE, WHITE } from './compare-frames.ts';
import type { Boundary } from './port.ts';

/** In a ramp, the light rises from the black or white frames. `MIN_RAMP`: its minimum length, frames. `MIN_LIGHT`: the minimum light at its top. */
const MIN_RAMP = 3;
const MIN_LIGHT = 20;
/** The minimum rise of the light per frame. Slower changes are not fades. */
const MIN_RISE = 0.4;
/** The maximum number of frames in a ramp in which the light does not rise, for example because of grain. */
const MAX_STILL = 2;

export interface Fade extends Boundary {
  readonly from: number;
  readonly to: number;
}

export function findFades(frames: readonly Frame[]): Fade[] {
  return [BLACK, WHITE].flatMap((end) => {
    const light = Float64Array.from(frames, ({ planes }) => distanceFrom(end, planes));
    return findValleys(light);
  });
}

function findValleys(light: Float64Array): Fade[] {
  const found: Fade[] = [];
  for (let at = 0; at < light.length; at += 1) {
    if (light[at]! > MAX_EMPTY_DISTANCE) continue;
    let last = at;
    while (last + 1 < light.length && light[last + 1]! <= MAX_EMPTY_DISTANCE) last += 1;
    const before = rampFrom(light, at, -1);
    const after = rampFrom(light, last, 1);
    if (before !== null && after !== null) {
      const frame = Math.round((before.reached + after.reached) / 2);
      found.push({ frame, transition: 'fade', confidence: 0.9, from: before.top, to: after.top });
    }
    at = last;
  }
  return found;
}

/** Finds the frame at which a ramp reaches the bottom, by extending the middle part of the ramp. Returns null if there is no ramp. */
function rampFrom(light: Float64Array, from: number, step: 1 | -1): { reached: number; top: number } | null {
  let top = from;
  for (let at = from + step, still = 0; at >= 0 && at < light.length && still <= MAX_STILL; at += step) {
    if (light[at]! - light[top]! > MIN_RISE * Math.abs(at - top)) [top, still] = [at, 0];
    else still += 1;
  }
  if (light[top]! < MIN_LIGHT) return null;
  const low = crossing(light, from, step, 0.3 * light[top]!);
  const high = crossing(light, from, step, 0.7 * light[top]!);
  const length = Math.abs(high - low) / 0.4;
  if (length < MIN_RAMP) return null;
  return { reached: low - step * 0.3 * length, top };
}

function crossing(light: Float64Array, from: number, step: 1 | -1, level: number): number {
  let at = from;
  while (light[at]! < level) at += step;
  if (at === from) return at;
  const [under, over] = [light[at - step]!, light[at]!];
  return at - step * ((over - level) / (over - under));
}

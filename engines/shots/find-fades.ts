/** Fades through black or white: the picture loses its light over several frames, and another gets it. */
import type { Frame } from '../../media/pictures/decode-pictures.ts';
import { BLACK, distanceFrom, GONE, WHITE } from './compare-frames.ts';
import type { Boundary } from './port.ts';

/** A ramp takes so many frames at least, and rises to so much. */
const LEAST_RAMP = 3;
const LEAST_LIGHT = 20;
/** By how much the light rises from frame to frame: slower changes are those of the picture itself. */
const LEAST_RISE = 0.4;
/** A ramp may stand still, or fall by grain, for so many frames. */
const PATIENCE = 2;

export interface Fade extends Boundary {
  /** The frames in which the light changes. */
  readonly from: number;
  readonly to: number;
}

export function fadesIn(frames: readonly Frame[]): Fade[] {
  return [BLACK, WHITE].flatMap((end) => {
    const light = Float64Array.from(frames, ({ planes }) => distanceFrom(end, planes));
    return valleysIn(light);
  });
}

function valleysIn(light: Float64Array): Fade[] {
  const found: Fade[] = [];
  for (let at = 0; at < light.length; at += 1) {
    if (light[at]! > GONE) continue;
    let last = at;
    while (last + 1 < light.length && light[last + 1]! <= GONE) last += 1;
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

/** Where the ramp that leads away from the dark would reach it, by its middle part; null where it is none. */
function rampFrom(light: Float64Array, from: number, step: 1 | -1): { reached: number; top: number } | null {
  let top = from;
  for (let at = from + step, still = 0; at >= 0 && at < light.length && still <= PATIENCE; at += step) {
    if (light[at]! - light[top]! > LEAST_RISE * Math.abs(at - top)) [top, still] = [at, 0];
    else still += 1;
  }
  if (light[top]! < LEAST_LIGHT) return null;
  const low = crossing(light, from, step, 0.3 * light[top]!);
  const high = crossing(light, from, step, 0.7 * light[top]!);
  const length = Math.abs(high - low) / 0.4;
  if (length < LEAST_RAMP) return null;
  return { reached: low - step * 0.3 * length, top };
}

/** Where the light passes a level, between frames. */
function crossing(light: Float64Array, from: number, step: 1 | -1, level: number): number {
  let at = from;
  while (light[at]! < level) at += step;
  if (at === from) return at;
  const [under, over] = [light[at - step]!, light[at]!];
  return at - step * ((over - level) / (over - under));
}

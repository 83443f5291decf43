/** Computes the position of the crop at each frame. Pure. */
import type { CropPath, Rate } from './render-plan.ts';

export interface Position {
  readonly x: number;
  readonly y: number;
}

/**
 * Points of a path are in whole milliseconds, but frames are not. A point already counts for a frame that is this much
 * earlier.
 */
const ROUNDING_MS = 1;

/**
 * Returns the upper left corner of the crop for each frame, in pixels of the source as displayed.
 * @param start the first frame, counted from the first frame of the clip
 */
export function cropPositions(
  { points }: CropPath,
  start: number,
  frames: number,
  { num, den }: Rate,
): Position[] {
  let at = 0;
  return Array.from({ length: frames }, (_, frame) => {
    const now_ms = ((start + frame) * den * 1000) / num;
    while (at + 1 < points.length && points[at + 1]!.at_ms <= now_ms + ROUNDING_MS) at += 1;
    const [before, after] = [points[at]!, points[at + 1]];
    const lasts = after === undefined || after.jump || now_ms <= before.at_ms;
    if (lasts) return { x: before.x, y: before.y };
    const share = (now_ms - before.at_ms) / (after.at_ms - before.at_ms);
    const between = (one: number, other: number) => one + (other - one) * Math.min(1, share);
    return { x: between(before.x, after.x), y: between(before.y, after.y) };
  });
}

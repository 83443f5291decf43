/** Compares small pictures in the format 4:2:0: two thirds of the values are Y, a sixth is U, and a sixth is V. */
import type { Frame } from '../../media/pictures/decode-pictures.ts';

/** Values of a picture, or of the mean of several pictures. */
export type Planes = Uint8Array | Float32Array;

export function difference(one: Planes, other: Planes): number {
  let sum = 0;
  for (let at = 0; at < one.length; at += 1) sum += Math.abs(one[at]! - other[at]!);
  return sum / one.length;
}

export function squaredDifference(one: Planes, other: Planes): number {
  let sum = 0;
  for (let at = 0; at < one.length; at += 1) sum += (one[at]! - other[at]!) ** 2;
  return sum / one.length;
}

/** Returns the mean of the frames from `first` to `end`, exclusive. Ignores indexes without a frame. */
export function meanOf(frames: readonly Frame[], first: number, end: number): Float32Array {
  const [from, to] = [Math.max(0, first), Math.min(frames.length, end)];
  const mean = new Float32Array(frames[0]!.planes.length);
  for (let each = from; each < to; each += 1) {
    const { planes } = frames[each]!;
    for (let at = 0; at < mean.length; at += 1) mean[at]! += planes[at]!;
  }
  const count = Math.max(1, to - from);
  for (let at = 0; at < mean.length; at += 1) mean[at]! /= count;
  return mean;
}

/** The luma of black and of white in video: ITU-R BT.709 §3. */
export const BLACK = 16;
export const WHITE = 235;
const GREY = 128;
/** The maximum distance of an empty picture: a picture is empty if its mean distance from black or from white is not larger. */
export const MAX_EMPTY_DISTANCE = 14;

/** Returns the mean distance of a picture from `end`. @param end the luma of black or of white */
export function distanceFrom(end: number, planes: Planes): number {
  const luma = (planes.length * 2) / 3;
  let sum = 0;
  for (let at = 0; at < luma; at += 1) sum += Math.abs(planes[at]! - end);
  for (let at = luma; at < planes.length; at += 1) sum += Math.abs(planes[at]! - GREY);
  return sum / planes.length;
}

export const isEmpty = (planes: Planes): boolean =>
  distanceFrom(BLACK, planes) <= MAX_EMPTY_DISTANCE || distanceFrom(WHITE, planes) <= MAX_EMPTY_DISTANCE;

/** How much small pictures differ. Planes are those of 4:2:0: a sixth of the values each are U and V. */
import type { Frame } from '../../media/pictures/decode-pictures.ts';

/** A picture, or the mean of several. */
export type Planes = Uint8Array | Float32Array;

/** Mean difference of all values, 0 to 255. */
export function difference(one: Planes, other: Planes): number {
  let sum = 0;
  for (let at = 0; at < one.length; at += 1) sum += Math.abs(one[at]! - other[at]!);
  return sum / one.length;
}

/** Mean square of the difference. */
export function squares(one: Planes, other: Planes): number {
  let sum = 0;
  for (let at = 0; at < one.length; at += 1) sum += (one[at]! - other[at]!) ** 2;
  return sum / one.length;
}

/** The mean of frames from `first` to before `end`, as many of them as there are. */
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

/** Of Y in video: ITU-R BT.709 §3. */
export const BLACK = 16;
export const WHITE = 235;
const GREY = 128;
/** Mean distance from black or white below which a picture has gone. */
export const GONE = 14;

/** How far a picture is from nothing but black, or nothing but white. */
export function distanceFrom(end: number, planes: Planes): number {
  const luma = (planes.length * 2) / 3;
  let sum = 0;
  for (let at = 0; at < luma; at += 1) sum += Math.abs(planes[at]! - end);
  for (let at = luma; at < planes.length; at += 1) sum += Math.abs(planes[at]! - GREY);
  return sum / planes.length;
}

export const isGone = (planes: Planes): boolean =>
  distanceFrom(BLACK, planes) <= GONE || distanceFrom(WHITE, planes) <= GONE;

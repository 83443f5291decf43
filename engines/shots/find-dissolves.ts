/**
 * Dissolves: between two pictures that stand apart, each frame is a mixture of both, and their shares go from one to the other. What
 * moves or turns is no mixture, and changes as much before and after.
 */
import type { Frame } from '../../media/pictures/decode-pictures.ts';
import { difference, isGone, meanOf, squares } from './compare-frames.ts';
import type { Boundary } from './port.ts';

/** Half of the time in which a dissolve is looked for: one of up to three seconds is found. */
const HALVES_MS = [200, 280, 400, 560, 800, 1100, 1500];
/** Mean square of the difference of both pictures, below which nobody sees that it is another. */
const LEAST_APART = 120;
/** How evenly both differ over the picture, at least, from 0 (in one place) to 1: what comes, goes or moves in a shot is in its place. */
const LEAST_SPREAD = 0.3;
/** How much each of both changes by itself meanwhile, at most, in parts of how far they are apart. */
const MOST_INNER = 0.2;
/** The share before it begins and after it has ended, at most, from 0 and 1. */
const MOST_OUTSIDE = 0.15;
/** What of a frame in the middle is no mixture, at most, in parts of how far both pictures are apart. */
const MOST_UNMIXED = 0.3;
/** How many frames it takes at least. */
const LEAST_LENGTH = 4;
/** By how much the share grows in one frame, at most. */
const MOST_STEP = 0.4;
/** How far the middle may be from that of its quarters, in parts of its length. */
const MOST_UNEVEN = 0.15;
/** How much of the time in which it is looked for it takes, at most: what changes all the time would fill it. */
const MOST_FILLED = 0.8;
/** Shares beyond it, from 0 and 1, say little about where the middle is. */
const LEAST_SHARE = 0.15;
/** How many frames tell what a picture was at one moment. */
const MOMENT = 2;

interface Found extends Boundary {
  readonly from: number;
  readonly to: number;
}

/** @param taken frames at which other boundaries are, by time */
export function dissolvesIn(frames: readonly Frame[], taken: readonly number[]): Boundary[] {
  if (frames.length < 2) return [];
  const frame_ms = (frames.at(-1)!.at_ms - frames[0]!.at_ms) / (frames.length - 1);
  const found: Found[] = [];
  for (const half_ms of HALVES_MS) {
    const half = Math.max(LEAST_LENGTH, Math.round(half_ms / frame_ms));
    for (let middle = half; middle < frames.length - half; middle += Math.max(1, half >> 2)) {
      const isTaken = taken.some((at) => Math.abs(at - middle) <= half);
      const one = isTaken ? null : dissolveAt(frames, middle, half, taken);
      if (one !== null) found.push(one);
    }
  }
  return best(found);
}

/** Of those that overlap, the surest. */
function best(found: readonly Found[]): Boundary[] {
  const kept: Found[] = [];
  for (const one of found.toSorted((a, b) => b.confidence - a.confidence)) {
    if (kept.every(({ from, to }) => one.to < from || one.from > to)) kept.push(one);
  }
  return kept.map(({ frame, transition, confidence }) => ({ frame, transition, confidence }));
}

/** That which lies within `half` before and after `middle`, where there is one. */
function dissolveAt(
  frames: readonly Frame[],
  middle: number,
  half: number,
  taken: readonly number[],
): Found | null {
  const [start, end] = [middle - half, middle + half];
  if (squares(frames[start]!.planes, frames[end - 1]!.planes) < LEAST_APART) return null;
  const first = Math.max(0, start - half, ...taken.filter((at) => at <= start));
  const last = Math.min(frames.length, end + half, ...taken.filter((at) => at > end));
  if (start - first < MOMENT || last - end < MOMENT) return null;
  const around = Math.max(MOMENT, half >> 1);
  const one = meanOf(frames, Math.max(first, start - around), start);
  const other = meanOf(frames, end, Math.min(last, end + around));
  const apart = squares(one, other);
  if (apart < LEAST_APART || isGone(one) || isGone(other)) return null;
  if (difference(one, other) ** 2 < LEAST_SPREAD * apart) return null;
  const inner = Math.max(changeIn(frames, first, start), changeIn(frames, end, last));
  if (inner > MOST_INNER * apart) return null;
  const mixture = new Mixture(one, other, apart);
  const shares = frames.slice(first, last).map(({ planes }) => mixture.shareOf(planes));
  const ramp = rampIn(shares, start - first, end - first);
  if (
    ramp === null ||
    ramp.length > MOST_FILLED * 2 * half ||
    Math.abs(ramp.middle + first - middle) > half >> 1
  )
    return null;
  const [from, to] = [ramp.middle - ramp.length / 2 + first, ramp.middle + ramp.length / 2 + first];
  const inside = frames.slice(Math.ceil(from + ramp.length / 4), Math.floor(to - ramp.length / 4) + 1);
  const unmixed =
    inside.reduce((sum, { planes }) => sum + mixture.restOf(planes), 0) / Math.max(1, inside.length);
  if (unmixed > MOST_UNMIXED) return null;
  return {
    frame: Math.round(middleOf(frames, from, to) ?? ramp.middle + first),
    from: Math.floor(from),
    to: Math.ceil(to),
    transition: 'dissolve',
    confidence: 1 - unmixed,
  };
}

/**
 * Where the middle of a dissolve is, by the frames right before and after it: what moves meanwhile is where it was a while before or after no
 * more. Null where shares do not rise there as they should.
 */
function middleOf(frames: readonly Frame[], from: number, to: number): number | null {
  const [start, end] = [Math.floor(from), Math.ceil(to)];
  if (start < MOMENT || end + MOMENT >= frames.length) return null;
  const one = meanOf(frames, start - MOMENT, start);
  const other = meanOf(frames, end + 1, end + 1 + MOMENT);
  const mixture = new Mixture(one, other, squares(one, other));
  const shares = frames.slice(start, end + 1).map(({ planes }) => mixture.shareOf(planes));
  const inner = shares.flatMap((share, at) =>
    share > LEAST_SHARE && share < 1 - LEAST_SHARE ? [{ share, at }] : [],
  );
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [at, share] = [mean(inner.map((one) => one.at)), mean(inner.map((one) => one.share))];
  const spread = mean(inner.map((one) => (one.at - at) ** 2));
  const slope = mean(inner.map((one) => (one.at - at) * (one.share - share))) / spread;
  const middle = start + at + (0.5 - share) / slope;
  return slope > 0 && middle > from && middle < to ? middle : null;
}

/** How much a picture changes from the first moment to the last of a stretch, mean square. */
function changeIn(frames: readonly Frame[], first: number, end: number): number {
  const [one, other] = [Math.min(first + MOMENT, end), Math.max(first, end - MOMENT)];
  return squares(meanOf(frames, first, one), meanOf(frames, other, end));
}

/** Two pictures, and frames as mixtures of them. */
class Mixture {
  readonly #one: Float32Array;
  readonly #way: Float32Array;
  readonly #length: number;

  /** @param apart mean square of their difference */
  constructor(one: Float32Array, other: Float32Array, apart: number) {
    this.#one = one;
    this.#way = other.map((value, at) => value - one[at]!);
    this.#length = apart * one.length;
  }

  /** How much of the second is in a frame: 0 to 1, and beyond where it is more than that. */
  shareOf(planes: Uint8Array): number {
    const [one, way] = [this.#one, this.#way];
    let sum = 0;
    for (let at = 0; at < planes.length; at += 1) sum += (planes[at]! - one[at]!) * way[at]!;
    return sum / this.#length;
  }

  /** What of a frame is of neither, in parts of how far both are apart. */
  restOf(planes: Uint8Array): number {
    const [one, way, share] = [this.#one, this.#way, this.shareOf(planes)];
    let sum = 0;
    for (let at = 0; at < planes.length; at += 1) sum += (planes[at]! - one[at]! - share * way[at]!) ** 2;
    return Math.sqrt(sum / this.#length);
  }
}

/** The rise of shares from 0 before `start` to 1 from `end` on, in frames; null where they rise otherwise. */
function rampIn(
  shares: readonly number[],
  start: number,
  end: number,
): { middle: number; length: number } | null {
  const off = (some: readonly number[], level: number) =>
    some.reduce((sum, share) => sum + Math.abs(share - level), 0) / Math.max(1, some.length);
  if (off(shares.slice(0, start), 0) > MOST_OUTSIDE || off(shares.slice(end), 1) > MOST_OUTSIDE) return null;
  for (let at = start; at <= end && at < shares.length; at += 1) {
    if (at > 0 && Math.abs(shares[at]! - shares[at - 1]!) > MOST_STEP) return null;
  }
  const [quarter, middle, most] = [0.25, 0.5, 0.75].map((level) => passing(shares, start, end, level)) as [
    number,
    number,
    number,
  ];
  const length = 2 * (most - quarter);
  const isEven = Math.abs(middle - (quarter + most) / 2) <= MOST_UNEVEN * length;
  return length >= LEAST_LENGTH && isEven ? { middle, length } : null;
}

/** Where a level is passed for the first time, between frames. */
function passing(shares: readonly number[], start: number, end: number, level: number): number {
  let at = start;
  while (at < end - 1 && shares[at]! < level) at += 1;
  const [under, over] = [shares[at - 1] ?? 0, shares[at]!];
  return over > under ? at - Math.min(1, Math.max(0, (over - level) / (over - under))) : at;
}

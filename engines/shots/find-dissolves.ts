/** Finds dissolves: each frame is a mixture of two pictures, and the share of the second rises from 0 to 1. */
import type { Frame } from '../../media/pictures/decode-pictures.ts';
import { difference, isEmpty, meanOf, squaredDifference } from './compare-frames.ts';
import type { Boundary } from './port.ts';

/** Half the length of each search window, ms. The longest window finds dissolves of up to three seconds. */
const HALVES_MS = [200, 280, 400, 560, 800, 1100, 1500];
/** The minimum squared difference between the pictures before and after. A smaller difference is not visible. */
const MIN_APART = 120;
/** The minimum spread of the difference over the picture, from 0 (in one place) to 1 (everywhere). A moving object has a small spread. */
const MIN_SPREAD = 0.3;
/** The maximum change within the shot before the dissolve, or within the shot after it, as a share of the difference between both pictures. */
const MAX_INNER = 0.2;
/** The maximum mean distance of the shares from 0 before the dissolve, and from 1 after it. A share is the part of the second picture. */
const MAX_OUTSIDE = 0.15;
/** The maximum part of a frame that is not a mixture of both pictures, as a share of the difference between them. */
const MAX_UNMIXED = 0.3;
/** The minimum length of a dissolve, in frames. */
const MIN_LENGTH = 4;
/** The maximum rise of the share from one frame to the next. */
const MAX_STEP = 0.4;
/** The share rises evenly if 0.5 is midway between 0.25 and 0.75. The maximum distance from midway, as a share of the length. */
const MAX_UNEVEN = 0.15;
/** The maximum length of a dissolve, as a share of its search window. Constant motion would fill the whole window. */
const MAX_FILLED = 0.8;
/** Only shares between `MIN_SHARE` and `1 - MIN_SHARE` are used to locate the middle. */
const MIN_SHARE = 0.15;
/** The number of frames whose mean represents the picture at one moment. */
const MOMENT = 2;

interface Found extends Boundary {
  readonly from: number;
  readonly to: number;
}

/** @param taken the frames of the boundaries that other methods found, in ascending order */
export function findDissolves(frames: readonly Frame[], taken: readonly number[]): Boundary[] {
  if (frames.length < 2) return [];
  const frame_ms = (frames.at(-1)!.at_ms - frames[0]!.at_ms) / (frames.length - 1);
  const found: Found[] = [];
  for (const half_ms of HALVES_MS) {
    const half = Math.max(MIN_LENGTH, Math.round(half_ms / frame_ms));
    for (let middle = half; middle < frames.length - half; middle += Math.max(1, half >> 2)) {
      const isTaken = taken.some((at) => Math.abs(at - middle) <= half);
      const dissolve = isTaken ? null : dissolveAt(frames, middle, half, taken);
      if (dissolve !== null) found.push(dissolve);
    }
  }
  return keepBest(found);
}

/** If dissolves overlap, keeps the one with the highest confidence. */
function keepBest(found: readonly Found[]): Boundary[] {
  const kept: Found[] = [];
  for (const one of found.toSorted((a, b) => b.confidence - a.confidence)) {
    if (kept.every(({ from, to }) => one.to < from || one.from > to)) kept.push(one);
  }
  return kept.map(({ frame, transition, confidence }) => ({ frame, transition, confidence }));
}

function dissolveAt(
  frames: readonly Frame[],
  middle: number,
  half: number,
  taken: readonly number[],
): Found | null {
  const [start, end] = [middle - half, middle + half];
  if (squaredDifference(frames[start]!.planes, frames[end - 1]!.planes) < MIN_APART) return null;
  const first = Math.max(0, start - half, ...taken.filter((at) => at <= start));
  const last = Math.min(frames.length, end + half, ...taken.filter((at) => at > end));
  if (start - first < MOMENT || last - end < MOMENT) return null;
  const around = Math.max(MOMENT, half >> 1);
  const one = meanOf(frames, Math.max(first, start - around), start);
  const other = meanOf(frames, end, Math.min(last, end + around));
  const apart = squaredDifference(one, other);
  if (apart < MIN_APART || isEmpty(one) || isEmpty(other)) return null;
  if (difference(one, other) ** 2 < MIN_SPREAD * apart) return null;
  const inner = Math.max(changeIn(frames, first, start), changeIn(frames, end, last));
  if (inner > MAX_INNER * apart) return null;
  const mixture = new Mixture(one, other, apart);
  const shares = frames.slice(first, last).map(({ planes }) => mixture.shareOf(planes));
  const ramp = rampIn(shares, start - first, end - first);
  if (
    ramp === null ||
    ramp.length > MAX_FILLED * 2 * half ||
    Math.abs(ramp.middle + first - middle) > half >> 1
  )
    return null;
  const [from, to] = [ramp.middle - ramp.length / 2 + first, ramp.middle + ramp.length / 2 + first];
  const inside = frames.slice(Math.ceil(from + ramp.length / 4), Math.floor(to - ramp.length / 4) + 1);
  const unmixed =
    inside.reduce((sum, { planes }) => sum + mixture.restOf(planes), 0) / Math.max(1, inside.length);
  if (unmixed > MAX_UNMIXED) return null;
  return {
    frame: Math.round(middleOf(frames, from, to) ?? ramp.middle + first),
    from: Math.floor(from),
    to: Math.ceil(to),
    transition: 'dissolve',
    confidence: 1 - unmixed,
  };
}

/**
 * Locates the middle of a dissolve from the frames directly before and after it, because frames further away show moving objects in
 * other places. Returns null if the shares do not rise.
 */
function middleOf(frames: readonly Frame[], from: number, to: number): number | null {
  const [start, end] = [Math.floor(from), Math.ceil(to)];
  if (start < MOMENT || end + MOMENT >= frames.length) return null;
  const one = meanOf(frames, start - MOMENT, start);
  const other = meanOf(frames, end + 1, end + 1 + MOMENT);
  const mixture = new Mixture(one, other, squaredDifference(one, other));
  const shares = frames.slice(start, end + 1).map(({ planes }) => mixture.shareOf(planes));
  const inner = shares.flatMap((share, at) =>
    share > MIN_SHARE && share < 1 - MIN_SHARE ? [{ share, at }] : [],
  );
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [at, share] = [mean(inner.map((one) => one.at)), mean(inner.map((one) => one.share))];
  const spread = mean(inner.map((one) => (one.at - at) ** 2));
  const slope = mean(inner.map((one) => (one.at - at) * (one.share - share))) / spread;
  const middle = start + at + (0.5 - share) / slope;
  return slope > 0 && middle > from && middle < to ? middle : null;
}

function changeIn(frames: readonly Frame[], first: number, end: number): number {
  const [one, other] = [Math.min(first + MOMENT, end), Math.max(first, end - MOMENT)];
  return squaredDifference(meanOf(frames, first, one), meanOf(frames, other, end));
}

class Mixture {
  readonly #one: Float32Array;
  readonly #way: Float32Array;
  readonly #length: number;

  /** @param apart the squared difference between the two pictures */
  constructor(one: Float32Array, other: Float32Array, apart: number) {
    this.#one = one;
    this.#way = other.map((value, at) => value - one[at]!);
    this.#length = apart * one.length;
  }

  /** Returns the share of the second picture in a frame: 0 to 1, but noise can exceed this range. */
  shareOf(planes: Uint8Array): number {
    const [one, way] = [this.#one, this.#way];
    let sum = 0;
    for (let at = 0; at < planes.length; at += 1) sum += (planes[at]! - one[at]!) * way[at]!;
    return sum / this.#length;
  }

  /** Returns the part of a frame that is not a mixture, as a share of the difference between the pictures. */
  restOf(planes: Uint8Array): number {
    const [one, way, share] = [this.#one, this.#way, this.shareOf(planes)];
    let sum = 0;
    for (let at = 0; at < planes.length; at += 1) sum += (planes[at]! - one[at]! - share * way[at]!) ** 2;
    return Math.sqrt(sum / this.#length);
  }
}

/** Finds the range in which the shares rise from 0 (before `start`) to 1 (after `end`). Returns null if they do not rise like this. */
function rampIn(shares: readonly number[], start: number, end: number) {
  const off = (some: readonly number[], level: number) =>
    some.reduce((sum, share) => sum + Math.abs(share - level), 0) / Math.max(1, some.length);
  if (off(shares.slice(0, start), 0) > MAX_OUTSIDE || off(shares.slice(end), 1) > MAX_OUTSIDE) return null;
  for (let at = start; at <= end && at < shares.length; at += 1) {
    if (at > 0 && Math.abs(shares[at]! - shares[at - 1]!) > MAX_STEP) return null;
  }
  const quarter = crossing(shares, start, end, 0.25);
  const middle = crossing(shares, start, end, 0.5);
  const threeQuarters = crossing(shares, start, end, 0.75);
  const length = 2 * (threeQuarters - quarter);
  const isEven = Math.abs(middle - (quarter + threeQuarters) / 2) <= MAX_UNEVEN * length;
  return length >= MIN_LENGTH && isEven ? { middle, length } : null;
}

function crossing(shares: readonly number[], start: number, end: number, level: number): number {
  let at = start;
  while (at < end - 1 && shares[at]! < level) at += 1;
  const [under, over] = [shares[at - 1] ?? 0, shares[at]!];
  return over > under ? at - Math.min(1, Math.max(0, (over - level) / (over - under))) : at;
}

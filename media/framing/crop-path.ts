/** Computes the path of a crop over the time of a clip. The crop has another aspect ratio than the picture. */
import type { Size } from '../../shared/boxes.ts';
import { mergeNeighbors } from '../../shared/merge-neighbors.ts';
import {
  type AutocenterSpan,
  goesOn,
  type Interval,
  type PathPoint,
  type Place,
  placeAt,
  withoutStraights,
} from './autocenter-spans.ts';

/** `width` and `height` of the crop are constant and even, in pixels of the picture as displayed. */
export interface CropPath extends Size {
  /** At least one point, in order of time. The path is linear between points. Before the first and after the last point, it is constant. */
  readonly points: readonly CropPoint[];
}

/** `x` and `y`: the left and top edge of the crop, in pixels with fractions. `at_ms`: the time from the start of the clip. */
export interface CropPoint extends PathPoint {
  /** Whether a new shot begins here, so that the crop jumps from the previous point. */
  readonly jump: boolean;
}

/** `width` and `height` of the picture as displayed, in pixels. */
export interface Cropping extends Interval, Size {
  /** Spans of the media, in order of time. If there are none, the crop is in the middle. */
  readonly spans: readonly AutocenterSpan[];
  readonly frame_rate: number;
  readonly aspect: { readonly x: number; readonly y: number };
}

/** Returns a path with rounded corners, so that the crop starts and stops gradually. The crop jumps between shots. */
export function cropPath({ spans, width, height, frame_rate, start_ms, end_ms, aspect }: Cropping): CropPath {
  const size = cropSize(width, height, aspect);
  const room = { x: width - size.width, y: height - size.height };
  const clip = { start_ms, end_ms };
  const points = continuous(spans, clip).flatMap((shot) => {
    const frames = frameTimes(shot, clip, frame_rate);
    if (frames.length === 0) return [];
    const times = frames.map((at_ms) => at_ms + start_ms);
    const lefts = softened(shot, times, ({ x }) => within(x * width - size.width / 2, 0, room.x));
    const tops = softened(shot, times, ({ y }) => within(y * height - size.height / 2, 0, room.y));
    const all = frames.map((at_ms, at) => ({ at_ms, x: lefts[at]!, y: tops[at]! }));
    const first = halfAFrameEarlier(all[0]!, all[1], frame_rate);
    const kept = withoutStraights([first, ...all.slice(1)], PRECISION);
    return kept.map((point, at) => ({ ...point, jump: at === 0 && point.at_ms > 0 }));
  });
  const middle = { at_ms: 0, x: room.x / 2, y: room.y / 2, jump: false };
  return { ...size, points: (points.length > 0 ? points : [middle]).map((point) => rounded(point, room)) };
}

/** Moves a jump half a frame earlier. Otherwise, rounding of times could make the jump one frame late. */
function halfAFrameEarlier(first: PathPoint, second: PathPoint | undefined, frame_rate: number): PathPoint {
  const at_ms = Math.max(0, first.at_ms - 500 / frame_rate);
  const isStraight = second !== undefined && at_ms > 0;
  if (!isStraight) return { ...first, at_ms };
  return { at_ms, x: first.x - (second.x - first.x) / 2, y: first.y - (second.y - first.y) / 2 };
}

/** A point is removed if its distance from the line between its neighbors is at most this, in pixels. */
const PRECISION = 0.02;

const rounded = ({ at_ms, x, y, jump }: CropPoint, room: Place): CropPoint => ({
  at_ms: Math.round(at_ms * 1000) / 1000,
  x: within(Math.round(x * 1000) / 1000, 0, room.x),
  y: within(Math.round(y * 1000) / 1000, 0, room.y),
  jump,
});

const within = (value: number, low: number, high: number) => Math.min(high, Math.max(low, value));

/** The maximum error of the aspect ratio, as a share. */
const EXACTNESS = 0.01;

/** Returns the largest even width and height in the picture with this ratio. In a very small picture, the ratio is only approximate. */
export function cropSize(width: number, height: number, { x, y }: Place) {
  const ratio = x / y;
  const isWider = ratio * height > width;
  const most = even(isWider ? width : height);
  let best = { width: even(width), height: even(height), error: Number.POSITIVE_INFINITY };
  for (let side = most; side >= 2 && best.error > EXACTNESS; side -= 2) {
    const other = 2 * Math.round((isWider ? side / ratio : side * ratio) / 2);
    const [w, h] = isWider ? [side, other] : [other, side];
    const error = Math.abs(w / h / ratio - 1);
    if (other >= 2 && w <= width && h <= height && error < best.error) best = { width: w, height: h, error };
  }
  return { width: best.width, height: best.height };
}

const even = (side: number) => 2 * Math.floor(side / 2);

interface Continuous extends Interval {
  readonly path: AutocenterSpan['path'];
}

/** Joins spans that continue each other. Removes spans that the clip does not show. */
function continuous(spans: readonly AutocenterSpan[], clip: Interval): Continuous[] {
  const isShown = ({ start_ms, end_ms }: Interval) =>
    end_ms > clip.start_ms - CORNER_MS && start_ms < clip.end_ms + CORNER_MS;
  const joined = mergeNeighbors<Continuous>(spans.filter(isShown), (last, next) =>
    goesOn(last, next) ? { ...last, end_ms: next.end_ms, path: [...last.path, ...next.path] } : null,
  );
  // The first and the last span extend to the ends of the clip.
  return joined.map((shot, at) => ({
    ...shot,
    start_ms: at === 0 ? Math.min(shot.start_ms, clip.start_ms) : shot.start_ms,
    end_ms: at === joined.length - 1 ? Math.max(shot.end_ms, clip.end_ms) : joined[at + 1]!.start_ms,
  }));
}

/** Returns the times of the frames in a shot, in ms from the start of the clip. Includes the frame in which the shot begins. */
function frameTimes(shot: Interval, clip: Interval, frame_rate: number): number[] {
  const frameAt = (ms: number) => Math.round(((ms - clip.start_ms) * frame_rate) / 1000);
  const first = Math.max(0, frameAt(shot.start_ms));
  const last = Math.min(frameAt(clip.end_ms), frameAt(shot.end_ms));
  return Array.from({ length: Math.max(0, last - first) }, (_, at) => ((first + at) * 1000) / frame_rate);
}

/** The time over which a corner of a path is rounded. */
const CORNER_MS = 400;
/** The step of the numerical integration of paths. */
const CELL_MS = 10;

/** Applies a moving average over `CORNER_MS`, so that the velocity changes gradually. The path stays within its bounds. */
function softened(
  { start_ms, end_ms, path }: Continuous,
  times: readonly number[],
  valueAt: (place: Place) => number,
): number[] {
  const cells = Math.ceil((end_ms - start_ms) / CELL_MS);
  const values = Float64Array.from({ length: cells }, (_, at) =>
    valueAt(placeAt(path, start_ms + (at + 0.5) * CELL_MS)),
  );
  const sums = new Float64Array(cells + 1);
  for (let at = 0; at < cells; at += 1) sums[at + 1] = sums[at]! + values[at]!;
  // Beyond its ends, a path is constant.
  const sumUntil = (ms: number) => {
    const cell = (ms - start_ms) / CELL_MS;
    if (cell <= 0) return cell * values[0]!;
    if (cell >= cells) return sums[cells]! + (cell - cells) * values[cells - 1]!;
    const at = Math.floor(cell);
    return sums[at]! + (cell - at) * values[at]!;
  };
  const half = CORNER_MS / 2;
  return times.map((ms) => ((sumUntil(ms + half) - sumUntil(ms - half)) * CELL_MS) / CORNER_MS);
}

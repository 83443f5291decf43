/** Autocenter spans: parts of a video with the path of the center of a frame that is narrower than the picture. */
import { firstIndexWhere } from '../../shared/sorted.ts';

/** Milliseconds from the beginning of the media. The end is exclusive. */
export interface Interval {
  readonly start_ms: number;
  readonly end_ms: number;
}

export const isLonger = ({ start_ms, end_ms }: Interval): boolean => end_ms > start_ms;

/** A point in fractions of the picture as displayed. */
export interface Place {
  readonly x: number;
  readonly y: number;
}

export interface PathPoint extends Place {
  readonly at_ms: number;
}

/** `x` and `y` are the mean of the path. */
export interface AutocenterSpan extends Interval, Place {
  /** At least one point, in order of time. The path is linear between points. Before the first and after the last point, it is constant. */
  readonly path: readonly PathPoint[];
  readonly source: 'center_of_interest' | 'face' | 'motion' | 'picture';
  readonly confidence: number | null;
}

/** The maximum number of points of a span. Longer paths continue in the next span. */
const MAX_POINTS = 100;
/** Coordinates are rounded to 1/10,000 of the picture: a fifth of a pixel at a width of 1920. */
const STEPS = 10_000;
/** A point is removed if its distance from the line between its neighbors is at most this share of the picture. */
const STRAIGHT = 0.0004;

/** Returns spans along one or more points. If a path continues in the next span, both spans contain the point between them. */
export function spansAlong(
  { start_ms, end_ms }: Interval,
  points: readonly PathPoint[],
  { source, confidence }: Pick<AutocenterSpan, 'source' | 'confidence'>,
): AutocenterSpan[] {
  const path = withoutStraights(points.map(rounded), STRAIGHT);
  const count = Math.max(1, Math.ceil((path.length - 1) / (MAX_POINTS - 1)));
  return Array.from({ length: count }, (_, at) => {
    const isLast = at === count - 1;
    const own = path.slice(at * (MAX_POINTS - 1), isLast ? undefined : (at + 1) * (MAX_POINTS - 1) + 1);
    const interval = {
      start_ms: at === 0 ? start_ms : own[0]!.at_ms,
      end_ms: isLast ? end_ms : own.at(-1)!.at_ms,
    };
    return { ...interval, ...meanOf(own, interval), path: own, source, confidence };
  });
}

/** The span of a shot without faces or motion: the middle of the picture. */
export const middleSpan = ({ start_ms, end_ms }: Interval): AutocenterSpan => ({
  ...{ start_ms, end_ms, x: 0.5, y: 0.5, source: 'picture', confidence: null },
  path: [{ at_ms: start_ms, x: 0.5, y: 0.5 }],
});

/** Whether the second span continues the path of the first one: both then belong to one shot. */
export function goesOn(
  one: Pick<AutocenterSpan, 'path' | 'end_ms'>,
  next: Pick<AutocenterSpan, 'path' | 'start_ms'>,
): boolean {
  const [last, first] = [one.path.at(-1)!, next.path[0]!];
  const meet = one.end_ms === next.start_ms && last.at_ms === one.end_ms && first.at_ms === next.start_ms;
  return meet && last.x === first.x && last.y === first.y;
}

export function placeAt(path: readonly PathPoint[], at_ms: number): Place {
  const next = firstIndexWhere(path, (point) => point.at_ms > at_ms);
  if (next === 0) return path[0]!;
  if (next === path.length) return path.at(-1)!;
  return between(path[next - 1]!, path[next]!, at_ms);
}

/** Removes points on the line between other points (Douglas and Peucker). `tolerance` is the maximum distance from the line, in x and in y. */
export function withoutStraights<P extends PathPoint>(points: readonly P[], tolerance: number): P[] {
  const isKept = new Uint8Array(points.length);
  const open: [number, number][] = [[0, points.length - 1]];
  for (let piece = open.pop(); piece; piece = open.pop()) {
    const [first, last] = piece;
    isKept[first] = 1;
    isKept[last] = 1;
    let [worst, farthest] = [tolerance, -1];
    for (let at = first + 1; at < last; at += 1) {
      const { x, y } = between(points[first]!, points[last]!, points[at]!.at_ms);
      const distance = Math.max(Math.abs(points[at]!.x - x), Math.abs(points[at]!.y - y));
      if (distance > worst) [worst, farthest] = [distance, at];
    }
    if (farthest !== -1) open.push([first, farthest], [farthest, last]);
  }
  return points.filter((_, at) => isKept[at] === 1);
}

function between(one: PathPoint, other: PathPoint, at_ms: number): Place {
  const share = other.at_ms === one.at_ms ? 0 : (at_ms - one.at_ms) / (other.at_ms - one.at_ms);
  return mixed(one, other, share);
}

/** Returns the place between two places. @param share 0 for `one`, 1 for `other` */
export const mixed = (one: Place, other: Place, share: number): Place => ({
  x: one.x + (other.x - one.x) * share,
  y: one.y + (other.y - one.y) * share,
});

function meanOf(path: readonly PathPoint[], { start_ms, end_ms }: Interval): Place {
  const corners = [
    { ...path[0]!, at_ms: start_ms },
    ...path.filter(({ at_ms }) => at_ms > start_ms && at_ms < end_ms),
    { ...placeAt(path, end_ms), at_ms: end_ms },
  ];
  let [x, y, time] = [0, 0, 0];
  for (const [at, next] of corners.slice(1).entries()) {
    const length = next.at_ms - corners[at]!.at_ms;
    x += ((corners[at]!.x + next.x) / 2) * length;
    y += ((corners[at]!.y + next.y) / 2) * length;
    time += length;
  }
  return time === 0 ? inSteps(path[0]!) : inSteps({ x: x / time, y: y / time });
}

const rounded = ({ at_ms, ...place }: PathPoint): PathPoint => ({
  at_ms: Math.round(at_ms),
  ...inSteps(place),
});

const inSteps = ({ x, y }: Place): Place => ({
  x: Math.round(Math.min(1, Math.max(0, x)) * STEPS) / STEPS,
  y: Math.round(Math.min(1, Math.max(0, y)) * STEPS) / STEPS,
});

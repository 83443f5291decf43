/** Autocenter spans: parts of a video, each with the path of the center of a narrower frame. */

/** Milliseconds from the beginning of the media. The end is exclusive. */
export interface Interval {
  readonly start_ms: number;
  readonly end_ms: number;
}

/** A place at a time of the media, in fractions of the picture as displayed. */
export interface PathPoint {
  readonly at_ms: number;
  readonly x: number;
  readonly y: number;
}

export interface AutocenterSpan extends Interval {
  /** The mean of the path. */
  readonly x: number;
  readonly y: number;
  /**
   * Points by time, at least one. The path is linear between points, and constant before the first and after the last
   * point.
   */
  readonly path: readonly PathPoint[];
  readonly source: 'center_of_interest' | 'face' | 'motion' | 'picture';
  readonly confidence: number | null;
}

/** The most points of a span. Longer paths continue in the next span. */
const MAX_POINTS = 100;
/** Places are rounded to a ten-thousandth: a fifth of a pixel of 1920. */
const STEPS = 10_000;
/** A point this near to the line between its neighbors is left out. */
const STRAIGHT = 0.0004;

/** Makes spans of one source along the points (at least one). If a span continues in the next, they share a point. */
export function spansAlong(
  { start_ms, end_ms }: Interval,
  points: readonly PathPoint[],
  { source, confidence }: Pick<AutocenterSpan, 'source' | 'confidence'>,
): AutocenterSpan[] {
  const path = withoutStraights(points.map(rounded), STRAIGHT);
  const count = Math.max(1, Math.ceil((path.length - 1) / (MAX_POINTS - 1)));
  return Array.from({ length: count }, (_, at) => {
    const isLast = at === count - 1;
    // Two adjacent spans share a point.
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

/** Whether the second span continues the first one: both belong to one shot. */
export function goesOn(one: Pick<AutocenterSpan, 'path' | 'end_ms'>, next: AutocenterSpan): boolean {
  const [last, first] = [one.path.at(-1)!, next.path[0]!];
  const meet = one.end_ms === next.start_ms && last.at_ms === one.end_ms && first.at_ms === next.start_ms;
  return meet && last.x === first.x && last.y === first.y;
}

/** The place of the path at a time. */
export function placeAt(path: readonly PathPoint[], at_ms: number): { x: number; y: number } {
  const next = firstAfter(path, at_ms);
  if (next === 0) return path[0]!;
  if (next === path.length) return path.at(-1)!;
  return between(path[next - 1]!, path[next]!, at_ms);
}

/** Leaves out points on the line between others (Douglas and Peucker). The distance is the larger of those in x and y. */
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

/** The index of the first point after the time, or the number of points. */
function firstAfter(path: readonly PathPoint[], at_ms: number): number {
  let [low, high] = [0, path.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (path[middle]!.at_ms > at_ms) high = middle;
    else low = middle + 1;
  }
  return low;
}

function between(one: PathPoint, other: PathPoint, at_ms: number): { x: number; y: number } {
  const share = other.at_ms === one.at_ms ? 0 : (at_ms - one.at_ms) / (other.at_ms - one.at_ms);
  return { x: one.x + (other.x - one.x) * share, y: one.y + (other.y - one.y) * share };
}

/** The mean over the time of the interval. */
function meanOf(path: readonly PathPoint[], { start_ms, end_ms }: Interval): { x: number; y: number } {
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

const inSteps = ({ x, y }: { x: number; y: number }) => ({
  x: Math.round(Math.min(1, Math.max(0, x)) * STEPS) / STEPS,
  y: Math.round(Math.min(1, Math.max(0, y)) * STEPS) / STEPS,
});

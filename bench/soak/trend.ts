/** Determines whether a value grows, with a straight line by least squares. */
export interface Point {
  /** Time in milliseconds. */
  readonly at: number;
  readonly value: number;
}

export interface Growth {
  readonly mean: number;
  /** Slope of the line, in units of the value per half hour. */
  readonly perHalfHour: number;
  /** The slope as a fraction of the mean. */
  readonly share: number;
}

const HALF_HOUR_MS = 1_800_000;

/** Returns the lowest point of each time span, because the memory of a process rises between two garbage collections. */
export function floors(points: readonly Point[], spanMs: number): Point[] {
  const [first] = points;
  if (first === undefined) return [];
  const spans = Map.groupBy(points, ({ at }) => Math.floor((at - first.at) / spanMs));
  return [...spans.values()].map((span) => span.reduce((low, one) => (one.value < low.value ? one : low)));
}

/**
 * Measures the growth over the second half of the points. In the first half, caches fill, V8 compiles code, and the heap reaches its size.
 * @throws if all points have the same time
 */
export function growthOf(all: readonly Point[]): Growth {
  const points = all.slice(all.length >> 1);
  const middle = meanOf(points.map(({ at }) => at));
  const mean = meanOf(points.map(({ value }) => value));
  const spread = sum(points.map(({ at }) => (at - middle) ** 2));
  if (spread === 0) throw new Error('A line needs two points in time.');
  const slope = sum(points.map(({ at, value }) => (at - middle) * (value - mean))) / spread;
  const perHalfHour = slope * HALF_HOUR_MS;
  return { mean, perHalfHour, share: mean === 0 ? 0 : perHalfHour / mean };
}

const sum = (values: readonly number[]) => values.reduce((all, one) => all + one, 0);
const meanOf = (values: readonly number[]) => sum(values) / values.length;

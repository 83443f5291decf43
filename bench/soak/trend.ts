/** Determines whether a value grows: with a straight line by least squares, and by comparing thirds. */
export interface Point {
  /** Time in milliseconds. */
  readonly at: number;
  readonly value: number;
}

export interface Trend {
  /** Mean of the values. */
  readonly mean: number;
  /** Slope of the line, in units of the value per hour. */
  readonly perHour: number;
}

const HOUR_MS = 3_600_000;

/** @throws if all points have the same time */
export function trendOf(points: readonly Point[]): Trend {
  const middle = meanOf(points.map(({ at }) => at));
  const mean = meanOf(points.map(({ value }) => value));
  const spread = sum(points.map(({ at }) => (at - middle) ** 2));
  if (spread === 0) throw new Error('A line needs two points in time.');
  const slope = sum(points.map(({ at, value }) => (at - middle) * (value - mean))) / spread;
  return { mean, perHour: slope * HOUR_MS };
}

/** Returns the lowest point of each time span, because the memory of a process rises between two garbage collections. */
export function floors(points: readonly Point[], spanMs: number): Point[] {
  const [first] = points;
  if (first === undefined) return [];
  const spans = Map.groupBy(points, ({ at }) => Math.floor((at - first.at) / spanMs));
  return [...spans.values()].map((span) => span.reduce((low, one) => (one.value < low.value ? one : low)));
}

export interface Growth extends Trend {
  /** Mean of the first third. */
  readonly first: number;
  /** Mean of the last third. */
  readonly last: number;
  /** Growth of the second half's line in half an hour, as a fraction of the second half's mean. */
  readonly share: number;
}

/** Uses the line of the second half. In the first half, caches fill, V8 compiles code, and the heap finds its size. */
export function growthOf(points: readonly Point[]): Growth {
  const third = Math.floor(points.length / 3);
  const values = points.map(({ value }) => value);
  const { mean, perHour } = trendOf(points.slice(points.length >> 1));
  return {
    mean,
    perHour,
    first: meanOf(values.slice(0, third)),
    last: meanOf(values.slice(-third)),
    share: mean === 0 ? 0 : perHour / 2 / mean,
  };
}

const sum = (values: readonly number[]) => values.reduce((all, one) => all + one, 0);
const meanOf = (values: readonly number[]) => sum(values) / values.length;

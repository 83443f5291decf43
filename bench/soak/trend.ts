/** Whether something grows: a straight line by least squares, and thirds compared. */
export interface Point {
  /** Milliseconds. */
  readonly at: number;
  readonly value: number;
}

export interface Trend {
  /** Mean of the values. */
  readonly mean: number;
  /** Of the line, in units of the value an hour. */
  readonly perHour: number;
}

const HOUR_MS = 3_600_000;

/** @throws where there is no time between the points */
export function trendOf(points: readonly Point[]): Trend {
  const middle = meanOf(points.map(({ at }) => at));
  const mean = meanOf(points.map(({ value }) => value));
  const spread = sum(points.map(({ at }) => (at - middle) ** 2));
  if (spread === 0) throw new Error('A line needs two points in time.');
  const slope = sum(points.map(({ at, value }) => (at - middle) * (value - mean))) / spread;
  return { mean, perHour: slope * HOUR_MS };
}

/** The lowest point of each span of time: between collections, memory rises in every process that collects its garbage. */
export function floors(points: readonly Point[], spanMs: number): Point[] {
  const [first] = points;
  if (first === undefined) return [];
  const spans = Map.groupBy(points, ({ at }) => Math.floor((at - first.at) / spanMs));
  return [...spans.values()].map((span) => span.reduce((low, one) => (one.value < low.value ? one : low)));
}

export interface Growth extends Trend {
  /** Means of the first and the last third. */
  readonly first: number;
  readonly last: number;
  /** Growth of the second half's line in half an hour, as a fraction of its mean. */
  readonly share: number;
}

/** The line is that of the second half: before it caches fill, code is compiled and the heap finds its size. */
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

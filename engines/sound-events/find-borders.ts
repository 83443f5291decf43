/** Finds the exact frame at which one sound changes to another. */
import type { FrameMeasures, Measure } from '../../media/sound/frame-measures.ts';

const compared: readonly Measure[] = [
  'level',
  'voiceLevel',
  'flux',
  'flatness',
  'centroid',
  'hiss',
  'voicing',
];

/** The maximum distance of the exact border from the rough border, in frames of 10 ms. */
const REACH = 100;
/** The number of frames on each side of a border that are used to measure a sound. */
const MEASURED = 300;
/** The minimum standard deviation, in the unit of the measure. A lower estimate is replaced by this value. */
const MIN_DEVIATION = 0.2;

type Distribution = ReturnType<typeof distributionOf>;

/** Returns a function that finds the most likely border near `rough`, in frames. It compares the sounds from `begin` and until `end`. */
export function borderFinder(facts: FrameMeasures): (begin: number, rough: number, end: number) => number {
  const columns = compared.map((fact) => facts.column(fact));
  return (begin, rough, end) => {
    const from = Math.max(begin, rough - REACH);
    const to = Math.min(end, rough + REACH);
    const gain = new Float64Array(to - from);
    for (const column of columns) {
      const before = distributionOf(
        column.subarray(Math.max(begin, rough - MEASURED), measuredUntil(begin, rough)),
      );
      const after = distributionOf(
        column.subarray(measuredFrom(rough, end), Math.min(end, rough + MEASURED)),
      );
      for (let at = 0; at < gain.length; at++) {
        const value = column[from + at]!;
        gain[at] = gain[at]! + logLikelihood(value, before) - logLikelihood(value, after);
      }
    }
    return from + argmaxOfSums(gain);
  };
}

/** If enough frames remain, omits the half second next to the rough border, because it may belong to the other sound. */
const measuredUntil = (begin: number, rough: number) => (rough - begin >= REACH ? rough - REACH / 2 : rough);
const measuredFrom = (rough: number, end: number) => (end - rough >= REACH ? rough + REACH / 2 : rough);

/** Estimates the parameters of a normal distribution. */
function distributionOf(values: Float32Array) {
  const mean = values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
  const square = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / Math.max(1, values.length);
  return { mean, deviation: Math.max(MIN_DEVIATION, Math.sqrt(square)) };
}

/** The log-likelihood without its constant term. A distance counts as at most three standard deviations, to limit the effect of outliers. */
const logLikelihood = (value: number, { mean, deviation }: Distribution): number =>
  -0.5 * Math.min(9, ((value - mean) / deviation) ** 2) - Math.log(deviation);

function argmaxOfSums(values: Float64Array): number {
  let [best, most, sum] = [0, 0, 0];
  for (const [at, value] of values.entries()) {
    sum += value;
    if (sum <= most) continue;
    most = sum;
    best = at + 1;
  }
  return best;
}

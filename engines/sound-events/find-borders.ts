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

/** The exact border is at most this many frames of 10 ms from the rough border. */
const REACH = 100;
/** The number of frames on each side for measuring the properties of a sound. */
const MEASURED = 300;
/** The least standard deviation that is assumed for a measure, in the unit of the measure. */
const MIN_DEVIATION = 0.2;

type Distribution = ReturnType<typeof distributionOf>;

/** @returns the most likely border near `rough` between a sound from `begin` and a sound until `end`, in frames */
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

/** Leaves out the half second next to the rough border, which may belong to the other sound, if enough frames remain. */
const measuredUntil = (begin: number, rough: number) => (rough - begin >= REACH ? rough - REACH / 2 : rough);
const measuredFrom = (rough: number, end: number) => (end - rough >= REACH ? rough + REACH / 2 : rough);

/** Estimates a normal distribution. */
function distributionOf(values: Float32Array) {
  const mean = values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
  const square = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / Math.max(1, values.length);
  return { mean, deviation: Math.max(MIN_DEVIATION, Math.sqrt(square)) };
}

/** Omits the constant term. A value counts as at most three standard deviations from the mean, so that outliers count little. */
const logLikelihood = (value: number, { mean, deviation }: Distribution): number =>
  -0.5 * Math.min(9, ((value - mean) / deviation) ** 2) - Math.log(deviation);

/** Returns how many values from the start have the greatest sum. */
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

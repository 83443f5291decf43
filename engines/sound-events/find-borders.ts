/** Where exactly one sound gives way to another: the frame that parts what is like the one from what is like the other. */
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

/** Frames of 10 ms to both sides of where the border was taken to be. */
const REACH = 100;
/** Frames by which what a sound is like is learnt, beyond the reach where there is room. */
const LEARNT = 300;
/** No fact is trusted to vary less than this, in its own unit. */
const LEAST_DEVIATION = 0.2;

interface Likeness {
  readonly mean: number;
  readonly deviation: number;
}

/** @returns of (begin, rough, end), frames, the likeliest border near `rough` between a sound from `begin` and one until `end` */
export function bordersIn(facts: FrameMeasures): (begin: number, rough: number, end: number) => number {
  const columns = compared.map((fact) => facts.column(fact));
  return (begin, rough, end) => {
    const from = Math.max(begin, rough - REACH);
    const to = Math.min(end, rough + REACH);
    const gain = new Float64Array(to - from);
    for (const column of columns) {
      const before = likeness(column.subarray(Math.max(begin, rough - LEARNT), learntUntil(begin, rough)));
      const after = likeness(column.subarray(learntFrom(rough, end), Math.min(end, rough + LEARNT)));
      for (let at = 0; at < gain.length; at++) {
        const value = column[from + at]!;
        gain[at] = gain[at]! + logLikelihood(value, before) - logLikelihood(value, after);
      }
    }
    return from + argmaxOfSums(gain);
  };
}

/** What is nearest to the rough border may be of the other sound, so it is left out where that leaves half a second. */
const learntUntil = (begin: number, rough: number) => (rough - begin >= REACH ? rough - REACH / 2 : rough);
const learntFrom = (rough: number, end: number) => (end - rough >= REACH ? rough + REACH / 2 : rough);

function likeness(values: Float32Array): Likeness {
  const mean = values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
  const square = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / Math.max(1, values.length);
  return { mean, deviation: Math.max(LEAST_DEVIATION, Math.sqrt(square)) };
}

/** Of a normal distribution, without the constant. One frame that is unlike all counts for no more than three deviations. */
const logLikelihood = (value: number, { mean, deviation }: Likeness): number =>
  -0.5 * Math.min(9, ((value - mean) / deviation) ** 2) - Math.log(deviation);

/** How many values belong before the border, so that their sum is greatest. */
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

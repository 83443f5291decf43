/** Sorts ticks into classes of speech sounds. With them, voices are compared by the same sounds: vowels with vowels. */
import { type Chunk, meanOf, type SpeechTicks } from './speech-ticks.ts';
import { SHAPE } from './voice-shapes.ts';

/** The number of classes. All of them occur in a few seconds of speech. */
export const CLASSES = 12;
const ROUNDS = 12;
/** The number of ticks from which the mixture is learned. They are evenly spread. More make no difference. */
const LEARNT_FROM = 20_000;

/** The two most likely classes of each tick, and the distribution of shapes in each class. */
export type SoundClasses = {
  classes: Uint8Array;
  /** The probability of the first of a tick's two classes. The probability of the second is 1 minus this. */
  shares: Float32Array;
  /** Means and scales have `SHAPE` numbers for each class. A scale is 1 divided by the deviation within a chunk. */
  means: Float64Array;
  scales: Float64Array;
};

type Mixture = { logWeights: Float64Array; means: Float64Array; precisions: Float64Array };

/** Sorts ticks by a Gaussian mixture with diagonal covariances, which is learned from the same ticks. */
export function soundClasses(ticks: SpeechTicks): SoundClasses {
  const neutral = withoutVoice(ticks);
  const mixture = learn(neutral, ticks.count);
  const { classes, shares } = sort(neutral, ticks.count, mixture);
  return { classes, shares, ...spreadOf(ticks, classes, shares) };
}

/** Subtracts the mean of the chunk and its neighbors. Otherwise, each class would contain a voice instead of a sound. */
function withoutVoice({ shapes, chunks, utterances }: SpeechTicks): Float32Array {
  const neutral = new Float32Array(shapes.length);
  const mean = new Float64Array(SHAPE);
  for (const [at, { from, to }] of chunks.entries()) {
    const isSame = (chunk: Chunk | undefined) =>
      chunk !== undefined && utterances[chunk.from] === utterances[from];
    const [before, after] = [chunks[at - 1], chunks[at + 1]];
    const around = { from: isSame(before) ? before!.from : from, to: isSame(after) ? after!.to : to };
    meanOf(shapes, around, mean);
    for (let i = from; i < to; i++)
      for (let d = 0; d < SHAPE; d++) neutral[i * SHAPE + d] = shapes[i * SHAPE + d]! - mean[d]!;
  }
  return neutral;
}

/** Learns the mixture by expectation maximization (Dempster et al. 1977). Starts with slices along the first coefficient. */
function learn(shapes: Float32Array, count: number): Mixture {
  const stride = Math.max(1, Math.floor(count / LEARNT_FROM));
  const sample = Array.from({ length: Math.floor(count / stride) }, (_, i) => i * stride);
  const sorted = sample.toSorted((one, other) => shapes[one * SHAPE]! - shapes[other * SHAPE]!);
  const posterior = new Float64Array(CLASSES);
  let mixture = refit(shapes, sorted, (at) => {
    posterior.fill(0);
    posterior[Math.floor((at * CLASSES) / sorted.length)] = 1;
    return posterior;
  });
  for (let round = 0; round < ROUNDS; round++) {
    const known = mixture;
    mixture = refit(shapes, sample, (at) => {
      posteriorOf(shapes, sample[at]! * SHAPE, known, posterior);
      return posterior;
    });
  }
  return mixture;
}

function refit(shapes: Float32Array, sample: readonly number[], posteriorAt: (at: number) => Float64Array) {
  const counts = new Float64Array(CLASSES).fill(1e-3);
  const sums = new Float64Array(CLASSES * SHAPE);
  const squares = new Float64Array(CLASSES * SHAPE);
  for (const [at, tick] of sample.entries()) {
    const posterior = posteriorAt(at);
    for (let c = 0; c < CLASSES; c++) {
      const share = posterior[c]!;
      if (share < 1e-4) continue;
      counts[c] = counts[c]! + share;
      for (let d = 0; d < SHAPE; d++) {
        const value = shapes[tick * SHAPE + d]!;
        sums[c * SHAPE + d] = sums[c * SHAPE + d]! + share * value;
        squares[c * SHAPE + d] = squares[c * SHAPE + d]! + share * value * value;
      }
    }
  }
  const means = sums.map((sum, i) => sum / counts[Math.floor(i / SHAPE)]!);
  // Whitened shapes have a variance of about 1. The minimum of 0.1 prevents classes that contain only a few ticks.
  const precisions = squares.map(
    (sum, i) => 1 / Math.max(0.1, sum / counts[Math.floor(i / SHAPE)]! - means[i]! ** 2),
  );
  return { means, precisions, logWeights: counts.map((of) => Math.log(of / sample.length)) };
}

/** Computes the probability of each class for the shape at `at`. The probabilities add up to 1. */
function posteriorOf(
  shapes: Float32Array,
  at: number,
  { logWeights, means, precisions }: Mixture,
  out: Float64Array,
): void {
  let best = Number.NEGATIVE_INFINITY;
  for (let c = 0; c < CLASSES; c++) {
    let log = logWeights[c]!;
    let volume = 1;
    for (let d = 0; d < SHAPE; d++) {
      const precision = precisions[c * SHAPE + d]!;
      const away = shapes[at + d]! - means[c * SHAPE + d]!;
      log -= 0.5 * away * away * precision;
      volume *= precision;
    }
    out[c] = log + 0.5 * Math.log(volume);
    best = Math.max(best, out[c]!);
  }
  let sum = 0;
  for (let c = 0; c < CLASSES; c++) {
    out[c] = Math.exp(out[c]! - best);
    sum += out[c]!;
  }
  for (let c = 0; c < CLASSES; c++) out[c] = out[c]! / sum;
}

function sort(shapes: Float32Array, count: number, mixture: Mixture) {
  const classes = new Uint8Array(2 * count);
  const shares = new Float32Array(count);
  const posterior = new Float64Array(CLASSES);
  for (let i = 0; i < count; i++) {
    posteriorOf(shapes, i * SHAPE, mixture, posterior);
    let [first, second] = posterior[0]! >= posterior[1]! ? [0, 1] : [1, 0];
    for (let c = 2; c < CLASSES; c++) {
      if (posterior[c]! > posterior[first]!) [first, second] = [c, first];
      else if (posterior[c]! > posterior[second]!) second = c;
    }
    classes[2 * i] = first;
    classes[2 * i + 1] = second;
    shares[i] = posterior[first]! / (posterior[first]! + posterior[second]!);
  }
  return { classes, shares };
}

/** Computes the deviations within a class and chunk. Deviations over all chunks would include the differences between voices. */
function spreadOf({ shapes, chunks }: SpeechTicks, classes: Uint8Array, shares: Float32Array) {
  const all = new Float64Array(CLASSES);
  const means = new Float64Array(CLASSES * SHAPE);
  const freedom = new Float64Array(CLASSES);
  const within = new Float64Array(CLASSES * SHAPE);
  const counts = new Float64Array(CLASSES);
  const sums = new Float64Array(CLASSES * SHAPE);
  const squares = new Float64Array(CLASSES * SHAPE);
  for (const { from, to } of chunks) {
    counts.fill(0);
    sums.fill(0);
    squares.fill(0);
    for (let i = 2 * from; i < 2 * to; i++) {
      const share = i % 2 === 0 ? shares[i >> 1]! : 1 - shares[i >> 1]!;
      const c = classes[i]!;
      counts[c] = counts[c]! + share;
      for (let d = 0; d < SHAPE; d++) {
        const value = shapes[(i >> 1) * SHAPE + d]!;
        sums[c * SHAPE + d] = sums[c * SHAPE + d]! + share * value;
        squares[c * SHAPE + d] = squares[c * SHAPE + d]! + share * value * value;
      }
    }
    for (let at = 0; at < sums.length; at++) means[at] = means[at]! + sums[at]!;
    for (let c = 0; c < CLASSES; c++) {
      all[c] = all[c]! + counts[c]!;
      // A deviation is computed from at least three ticks.
      if (counts[c]! < 3) continue;
      freedom[c] = freedom[c]! + counts[c]! - 1;
      for (let at = c * SHAPE; at < (c + 1) * SHAPE; at++)
        within[at] = within[at]! + squares[at]! - sums[at]! ** 2 / counts[c]!;
    }
  }
  return {
    means: means.map((sum, at) => sum / Math.max(1e-3, all[Math.floor(at / SHAPE)]!)),
    // The 1 stands for a tick with deviation 1, which is needed for classes without ticks.
    scales: within.map((sum, at) => Math.sqrt((freedom[Math.floor(at / SHAPE)]! + 1) / (sum + 1))),
  };
}

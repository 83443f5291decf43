/** Measures the loudness of speech in memory (ITU-R BS.1770-4). For media files, see media/ffmpeg/measure-loudness.ts. */

/** The sample rate for which BS.1770 states the filters below. */
const LOUDNESS_RATE = 48_000;
/** The coefficients b0, b1, b2, a1, a2 of a shelf filter for the effect of the head, and of a high-pass filter. BS.1770-4, tables 1 and 2. */
const stages = [
  [1.53512485958697, -2.69169618940638, 1.19839281085285, -1.69065929318241, 0.73248077421585],
  [1, -2, 1, -1.99004745483398, 0.99007225036621],
] as const;
/** Blocks last 400 ms. A new block starts every 100 ms. */
const STEP = LOUDNESS_RATE / 10;
const STEPS_OF_A_BLOCK = 4;
/** Blocks are ignored if they are below `SILENCE_LUFS`, or more than `BELOW_MEAN_LU` below the mean of the other blocks. */
const SILENCE_LUFS = -70;
const BELOW_MEAN_LU = 10;

/** Returns the loudness of mono samples at 48 kHz, LUFS. Null for silence. Sound that is shorter than a block counts as one block. */
export function measureSpeechLoudness(samples: Int16Array): number | null {
  const blocks = blocksOf(stepPowers(samples));
  const heard = blocks.filter((power) => lufs(power) > SILENCE_LUFS);
  if (heard.length === 0) return null;
  const gate = lufs(mean(heard)) - BELOW_MEAN_LU;
  return lufs(mean(heard.filter((power) => lufs(power) > gate)));
}

const lufs = (power: number) => -0.691 + 10 * Math.log10(power);
const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

/** Returns the mean square of each 100 ms of the filtered samples. The last value may cover less than 100 ms. */
function stepPowers(samples: Int16Array): { power: number; length: number }[] {
  const [[b0, b1, b2, a1, a2], [, d1, d2, c1, c2]] = stages;
  const steps: { power: number; length: number }[] = [];
  let [s1, s2, t1, t2] = [0, 0, 0, 0];
  for (let start = 0; start < samples.length; start += STEP) {
    const end = Math.min(samples.length, start + STEP);
    let sum = 0;
    for (let at = start; at < end; at++) {
      const sample = samples[at]! / 32768;
      const shelved = b0 * sample + s1;
      s1 = b1 * sample - a1 * shelved + s2;
      s2 = b2 * sample - a2 * shelved;
      const weighted = shelved + t1;
      t1 = d1 * shelved - c1 * weighted + t2;
      t2 = d2 * shelved - c2 * weighted;
      sum += weighted * weighted;
    }
    steps.push({ power: sum / (end - start), length: end - start });
  }
  return steps;
}

function blocksOf(steps: readonly { power: number; length: number }[]): number[] {
  const whole = steps.filter(({ length }) => length === STEP).map(({ power }) => power);
  if (whole.length < STEPS_OF_A_BLOCK) {
    const length = steps.reduce((sum, step) => sum + step.length, 0);
    return length === 0 ? [] : [steps.reduce((sum, step) => sum + step.power * step.length, 0) / length];
  }
  return Array.from({ length: whole.length - STEPS_OF_A_BLOCK + 1 }, (_, at) =>
    mean(whole.slice(at, at + STEPS_OF_A_BLOCK)),
  );
}

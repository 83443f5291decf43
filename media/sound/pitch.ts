/** Measures the frequency of a sound, and whether it is periodic, as the sounds of voices and instruments are. */

/** The sample rate, a quarter of the original rate: pitch and its first overtones are far below 2 kHz. */
const LOW_RATE = 4_000;
const SHORTEST = 10;
const LONGEST = 57;
/** The number of samples that are compared: 30 ms, which are two periods of the lowest voice. */
const COMPARED = 120;
const KEPT = COMPARED + LONGEST;
/** A period is preferred to a longer one if it fits nearly as well, because twice a period always fits, too. */
const NEARLY = 0.9;

export type Pitch = {
  /** The voicing, 0 to 1: the normalized autocorrelation at the period (Talkin 1995). */
  voicing: number;
  hertz: number;
};

/** Receives samples at 4 kHz as they arrive. `measure` uses the last 44 ms. */
export function createPitch() {
  const kept = new Float32Array(KEPT);
  const fits = new Float32Array(LONGEST + 1);
  return {
    push(samples: Float32Array): void {
      kept.copyWithin(0, samples.length);
      kept.set(samples, KEPT - samples.length);
    },
    measure(): Pitch {
      correlate(kept, fits);
      const lag = periodOf(fits);
      const isInside = lag > SHORTEST && lag < LONGEST;
      return {
        voicing: Math.max(0, fits[lag]!),
        hertz: LOW_RATE / (isInside ? peakBetween(fits, lag) : lag),
      };
    },
  };
}

function correlate(kept: Float32Array, fits: Float32Array): void {
  let first = 0;
  for (let i = 0; i < COMPARED; i++) first += kept[i]! * kept[i]!;
  let second = 0;
  for (let i = SHORTEST; i < SHORTEST + COMPARED; i++) second += kept[i]! * kept[i]!;
  for (let lag = SHORTEST; lag <= LONGEST; lag++) {
    let product = 0;
    for (let i = 0; i < COMPARED; i++) product += kept[i]! * kept[i + lag]!;
    fits[lag] = product / Math.sqrt(first * second + 1e-12);
    second += kept[lag + COMPARED]! ** 2 - kept[lag]! ** 2;
  }
}

function periodOf(fits: Float32Array): number {
  let best = SHORTEST;
  for (let lag = SHORTEST + 1; lag <= LONGEST; lag++) if (fits[lag]! > fits[best]!) best = lag;
  for (let lag = SHORTEST + 1; lag < best; lag++) {
    const isPeak = fits[lag]! >= fits[lag - 1]! && fits[lag]! >= fits[lag + 1]!;
    if (isPeak && fits[lag]! > NEARLY * fits[best]!) return lag;
  }
  return best;
}

/** Returns the peak of the parabola through a value and its neighbors, as an index with a fraction. */
export function peakBetween(values: Float32Array, at: number): number {
  const [left, top, right] = [values[at - 1]!, values[at]!, values[at + 1]!];
  const bend = left - 2 * top + right;
  return bend < 0 ? at + (left - right) / (2 * bend) : at;
}

const RATE = 16_000;
const DECIMATION = RATE / LOW_RATE;
/** Measures 44 ms of sound every 10 ms. */
const STEP = RATE / 100;
const LEAST_VOICING = 0.6;
/** The minimum number of measurements for a result: 0.3 s of voiced sound. */
const LEAST_COUNT = 30;
/** The minimum root mean square of 16-bit samples. Softer sound is the noise of the room. */
const LEAST_LEVEL = 100;

/** Returns the median fundamental frequency, hertz, of mono speech at 16 kHz. Null if too little speech is voiced. */
export function medianPitch(samples: Int16Array): number | null {
  const pitch = createPitch();
  const found: number[] = [];
  for (let at = 0; at + STEP <= samples.length; at += STEP) {
    const step = samples.subarray(at, at + STEP);
    pitch.push(lowered(step));
    if (levelOf(step) < LEAST_LEVEL) continue;
    const { voicing, hertz } = pitch.measure();
    if (voicing >= LEAST_VOICING) found.push(hertz);
  }
  if (found.length < LEAST_COUNT) return null;
  return Math.round(found.toSorted((a, b) => a - b)[found.length >> 1]!);
}

/** Reduces the sample rate to a quarter by averaging four samples. Only frequencies above 3 kHz alias, and these are weak. */
const lowered = (step: Int16Array): Float32Array =>
  Float32Array.from({ length: step.length / DECIMATION }, (_, at) => {
    const four = step.subarray(at * DECIMATION, (at + 1) * DECIMATION);
    return four.reduce((sum, sample) => sum + sample, 0) / DECIMATION;
  });

const levelOf = (step: Int16Array) =>
  Math.sqrt(step.reduce((sum, sample) => sum + sample * sample, 0) / step.length);

/** Measures whether sound is periodic, as voices and instruments are, and its frequency. */

/** Samples a second: a quarter of the original rate, since pitch and its first overtones are far below 2 kHz. */
export const LOW_RATE = 4_000;
const SHORTEST = 10;
const LONGEST = 57;
/** The length of a measurement, 30 ms: two periods of the lowest voice. */
const COMPARED = 120;
const KEPT = COMPARED + LONGEST;
/** A shorter period is preferred if it fits nearly as well as the best one, because twice a period always fits too. */
const NEARLY = 0.9;

export type Pitch = {
  /** The voicing, 0 to 1: the normalized autocorrelation at the period (Talkin 1995). */
  voicing: number;
  hertz: number;
};

/** Takes samples at 4 kHz as they arrive. `measure` uses the last 44 ms. */
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
      return { voicing: Math.max(0, fits[lag]!), hertz: LOW_RATE / interpolated(fits, lag) };
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

/** Returns the peak of the parabola through the highest value and its neighbors. */
function interpolated(fits: Float32Array, lag: number): number {
  if (lag === SHORTEST || lag === LONGEST) return lag;
  const [left, top, right] = [fits[lag - 1]!, fits[lag]!, fits[lag + 1]!];
  const bend = left - 2 * top + right;
  return bend < 0 ? lag + (left - right) / (2 * bend) : lag;
}

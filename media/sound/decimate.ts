/** Reduces the sample rate to a quarter, to find pitch and steady tones. */
import { FRAME_SAMPLES, HOP_SAMPLES } from './spectrum.ts';

const TAPS = 48;
const FACTOR = 4;
const COUNT = HOP_SAMPLES / FACTOR;
/** The position of the first tap, for the first sample of a frame. The taps are centered in the frame. */
const FIRST = (FRAME_SAMPLES - HOP_SAMPLES - TAPS) / 2;
/** The coefficient of a high-pass filter at 4 kHz. It removes frequencies below 50 Hz. */
const MEAN_KEPT = 0.93;

/** Creates a function that returns 40 samples at 4 kHz for each frame. The next call overwrites the returned arrays. */
export function createLowerRate() {
  const weights = lowPass();
  const exact = new Float32Array(COUNT);
  const rounded = new Int16Array(COUNT);
  let before = 0;
  let passed = 0;
  return (samples: Float32Array) => {
    for (let i = 0; i < COUNT; i++) {
      let value = 0;
      for (let tap = 0; tap < TAPS; tap++) value += weights[tap]! * samples[FIRST + i * FACTOR + tap]!;
      passed = value - before + MEAN_KEPT * passed;
      before = value;
      exact[i] = passed;
      rounded[i] = Math.max(-32_768, Math.min(32_767, Math.round(passed * 32_768)));
    }
    return { exact, rounded };
  };
}

/** Returns a windowed sinc filter with a cutoff frequency of 1.8 kHz. */
function lowPass(): Float64Array {
  const edge = 1_800 / 16_000;
  const weights = Float64Array.from({ length: TAPS }, (_, i) => {
    const t = i - (TAPS - 1) / 2;
    const hann = 0.5 - 0.5 * Math.cos((2 * Math.PI * (i + 0.5)) / TAPS);
    return (Math.sin(2 * Math.PI * edge * t) / (Math.PI * t)) * hann;
  });
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return weights.map((weight) => weight / total);
}

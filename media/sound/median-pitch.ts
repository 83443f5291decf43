/** Measures the pitch of a voice. */
import { createPitch, LOW_RATE } from './pitch.ts';

/** Samples a second. */
const RATE = 16_000;
const DECIMATION = RATE / LOW_RATE;
/** Measures 44 ms of sound every 10 ms. */
const STEP = RATE / 100;
/** Sound with at least this voicing counts as voiced speech. */
const LEAST_VOICING = 0.6;
/** The fewest measurements for a result: 0.3 s of voiced sound. */
const LEAST_COUNT = 30;
/** The root mean square of 16-bit samples. Softer sound is the noise of the room. */
const LEAST_LEVEL = 100;

/** The median fundamental frequency, hertz, of mono speech at 16 kHz; null if too little of it is voiced. */
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

/** Reduces the sample rate to a quarter by averaging four samples. Only weak frequencies above 3 kHz alias. */
const lowered = (step: Int16Array): Float32Array =>
  Float32Array.from({ length: step.length / DECIMATION }, (_, at) => {
    const four = step.subarray(at * DECIMATION, (at + 1) * DECIMATION);
    return four.reduce((sum, sample) => sum + sample, 0) / DECIMATION;
  });

const levelOf = (step: Int16Array) =>
  Math.sqrt(step.reduce((sum, sample) => sum + sample * sample, 0) / step.length);

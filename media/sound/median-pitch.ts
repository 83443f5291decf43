/** How high somebody's voice is. */
import { createPitch, LOW_RATE } from './pitch.ts';

/** Samples a second of what is listened to. */
const RATE = 16_000;
const DECIMATION = RATE / LOW_RATE;
/** A look each 10 ms, at 44 ms each. */
const STEP = RATE / 100;
/** Periodic enough to be a voiced sound of speech. */
const LEAST_VOICING = 0.6;
/** Fewer looks than these tell nothing: .3 s of voiced sound. */
const LEAST_LOOKS = 30;
/** Softer than this is the room, root mean square of 16 bit. */
const LEAST_LEVEL = 100;

/** The median of the fundamental frequency, hertz, of mono speech at 16 kHz; null where too little is voiced. */
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
  if (found.length < LEAST_LOOKS) return null;
  return Math.round(found.toSorted((a, b) => a - b)[found.length >> 1]!);
}

/** A quarter of the rate by means of four: what folds over lies above 3 kHz, and is weak. */
const lowered = (step: Int16Array): Float32Array =>
  Float32Array.from({ length: step.length / DECIMATION }, (_, at) => {
    const four = step.subarray(at * DECIMATION, (at + 1) * DECIMATION);
    return four.reduce((sum, sample) => sum + sample, 0) / DECIMATION;
  });

const levelOf = (step: Int16Array) =>
  Math.sqrt(step.reduce((sum, sample) => sum + sample * sample, 0) / step.length);

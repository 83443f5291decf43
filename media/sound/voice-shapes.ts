/** Describes the voices of a recording by their spectral shape. The data are small enough to be stored between steps. */
import { createCepstrum, createSpectrum, HOP_MS } from './spectrum.ts';

/** The length of a tick: 20 ms, which are two frames. Their coefficients are averaged. */
export const TICK_MS = 2 * HOP_MS;
/** The number of coefficients, 1 to 19. They describe the spectrum without its loudness, in enough detail to distinguish vocal tracts. */
export const SHAPE = 19;
const TICK_BYTES = SHAPE + 1;

/** 20 bytes for each tick, in order: the level, then the shape. An hour has 3.6 MB. The data are stored in this form. */
export type VoiceShapes = Uint8Array;

/** The frequencies of the shape, hertz. Other frequencies depend more on the microphone than on the speaker. */
const LOW_HZ = 100;
const HIGH_HZ = 7_600;
const BANDS = 30;
/** The step of a coefficient in its byte. The byte covers ±31.75. Coefficients of speech are within this range. */
const SHAPE_STEP = 0.25;
const LEVEL_STEP_DB = 0.5;
const LOWEST_DB = -100;

/** Receives 16 kHz mono PCM in chunks of any length. `end` returns the shapes of all ticks. */
export function createVoiceListener(): { push(samples: Int16Array): void; end(): VoiceShapes } {
  const cepstrum = createCepstrum(BANDS, SHAPE + 1);
  const coefficients = new Float64Array(SHAPE + 1);
  const shape = new Float64Array(SHAPE);
  let energy = 0;
  let ticks = 0;
  let kept = new Uint8Array(TICK_BYTES * 3_000);

  const keep = () => {
    const at = ticks * TICK_BYTES;
    if (at + TICK_BYTES > kept.length) kept = new Uint8Array(kept.buffer.transfer(2 * kept.length));
    kept[at] = levelByte(energy / 2);
    for (let d = 0; d < SHAPE; d++) kept[at + 1 + d] = shapeByte(shape[d]! / 2);
    ticks += 1;
    energy = 0;
    shape.fill(0);
  };

  const spectrum = createSpectrum(
    ({ index, samples, mel }) => {
      cepstrum(mel, coefficients);
      for (let d = 0; d < SHAPE; d++) shape[d] = shape[d]! + coefficients[d + 1]!;
      let sum = 0;
      for (let i = 0; i < samples.length; i++) sum += samples[i]! * samples[i]!;
      energy += sum / samples.length;
      if (index % 2 === 1) keep();
    },
    { bands: BANDS, low_hz: LOW_HZ, high_hz: HIGH_HZ },
  );
  return {
    push: (samples) => spectrum.push(samples),
    end: () => kept.slice(0, ticks * TICK_BYTES),
  };
}

export const ticksOf = (facts: VoiceShapes): number => Math.floor(facts.length / TICK_BYTES);

/** Returns the root mean square of a tick, dB relative to full scale. -100 for silence. */
export const levelAt = (facts: VoiceShapes, tick: number): number =>
  facts[tick * TICK_BYTES]! * LEVEL_STEP_DB + LOWEST_DB;

export function readShape(facts: VoiceShapes, tick: number, out: Float32Array, at: number): void {
  const from = tick * TICK_BYTES + 1;
  for (let d = 0; d < SHAPE; d++) out[at + d] = (facts[from + d]! - 128) * SHAPE_STEP;
}

function levelByte(power: number): number {
  const level_db = 10 * Math.log10(power + 1e-10);
  return Math.max(0, Math.min(255, Math.round((level_db - LOWEST_DB) / LEVEL_STEP_DB)));
}

const shapeByte = (value: number) => Math.max(0, Math.min(255, Math.round(value / SHAPE_STEP) + 128));

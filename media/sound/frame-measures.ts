/** Measures every 10 ms of sound: eleven values, one byte each. */
import { createLowerRate } from './decimate.ts';
import { createPitch } from './pitch.ts';
import { createSpectrum, FRAME_SAMPLES, type Frame } from './spectrum.ts';
import { createTones } from './tones.ts';

/** The scale of each value, which is stored as a byte: 0 means `low`, and each step adds `step`. */
const scales = {
  /** The root mean square of the whole signal, dB relative to full scale. */
  level: { low: -100, step: 0.4 },
  /** The root mean square between 200 Hz and 4 kHz, dB: the range of speech, without hum and rumble. */
  voiceLevel: { low: -110, step: 0.45 },
  /** The difference between the mel bands and the mel bands 20 ms before, dB (spectral flux). */
  flux: { low: 0, step: 0.1 },
  /** The difference between the shape of the bands and their shape 100 ms before, dB. It is small for steady notes and noise. */
  drift: { low: 0, step: 0.1 },
  /** The geometric mean of the speech bands divided by their arithmetic mean, dB: 0 is flat (Wiener entropy). */
  flatness: { low: -40, step: 0.16 },
  /** The center of the energy, as a band number. */
  centroid: { low: 0, step: 0.1 },
  /** The energy above 3 kHz divided by the energy below 1 kHz, dB. It is high for hissing speech sounds, and low for vowels. */
  hiss: { low: -60, step: 0.4 },
  /** The degree to which the sound is periodic, 0 to 1. */
  voicing: { low: 0, step: 0.004 },
  /** The frequency of the periodic sound, in semitones from 70 Hz. */
  pitch: { low: 0, step: 0.125 },
  /** The number of tones that have been steady for a quarter of a second. */
  tones: { low: 0, step: 0.25 },
  /** The share of steady tones in the energy below 2 kHz. */
  tonality: { low: 0, step: 0.004 },
} as const;

export type Measure = keyof typeof scales;
export const measureNames = Object.keys(scales) as Measure[];
const STRIDE = measureNames.length;
const LOWS = measureNames.map((name) => scales[name].low);
const STEPS = measureNames.map((name) => scales[name].step);

export type FrameMeasures = {
  /** The number of frames of 10 ms. */
  readonly length: number;
  column(fact: Measure): Float32Array;
};

/** Reads 16 kHz mono PCM in chunks of any length. Keeps 11 bytes for each 10 ms, and no samples. */
export function createFrameMeasures() {
  let bytes = new Uint8Array(STRIDE * 6_000);
  let length = 0;
  const values = new Float32Array(STRIDE);
  const measure = createMeasures(values);
  const spectrum = createSpectrum(
    (frame) => {
      measure(frame);
      if ((length + 1) * STRIDE > bytes.length)
        bytes = new Uint8Array(bytes.buffer.transfer(2 * bytes.length));
      for (let i = 0; i < STRIDE; i++)
        bytes[length * STRIDE + i] = Math.max(
          0,
          Math.min(255, Math.round((values[i]! - LOWS[i]!) / STEPS[i]!)),
        );
      length += 1;
    },
    { emphasis: 0, bands: BANDS, low_hz: 60 },
  );
  const column = (fact: Measure) => {
    const at = measureNames.indexOf(fact);
    const { low, step } = scales[fact];
    return Float32Array.from({ length }, (_, frame) => low + step * bytes[frame * STRIDE + at]!);
  };
  return { push: spectrum.push, facts: (): FrameMeasures => ({ length, column }) };
}

const BANDS = 26;
/** Bands from 200 Hz to 4 kHz. */
const VOICE_FROM = 2;
const VOICE_TO = 20;
/** Indexes of frequencies in the power spectrum. Its steps are 31.25 Hz. */
const BIN = { hz200: 6, hz1000: 32, hz3000: 96, hz4000: 128, hz7500: 240 };
/** Converts the sum of the power spectrum to the mean square of a frame. 0.3974 is the mean square of the Hamming window. */
const POWER_SCALE = 2 / (512 * FRAME_SAMPLES * 0.3974);
/** The energy of the noise in each band that rounding to 16 bits causes. */
const FLOOR = 1e-6;
/** Bands this far below the loudest band are ignored, because noise and codecs change them. */
const DEPTH_DB = 40;

function createMeasures(values: Float32Array) {
  const place = Object.fromEntries(measureNames.map((name, i) => [name, i])) as Record<Measure, number>;
  const past = Array.from({ length: 11 }, () => new Float32Array(BANDS).fill(-60));
  const lower = createLowerRate();
  const pitch = createPitch();
  const tones = createTones();
  return ({ index, samples, power, mel }: Frame): void => {
    let square = 0;
    for (const sample of samples) square += sample * sample;
    values[place.level] = decibels(square / FRAME_SAMPLES);
    values[place.voiceLevel] = decibels(POWER_SCALE * sum(power, BIN.hz200, BIN.hz4000));
    const low = sum(power, BIN.hz200, BIN.hz1000) + 1e-9;
    values[place.hiss] = decibels((sum(power, BIN.hz3000, BIN.hz7500) + 1e-9) / low);
    const bands = past[index % 11]!;
    for (let band = 0; band < BANDS; band++) bands[band] = decibels(mel[band]! + FLOOR);
    values[place.flux] = difference(bands, past[(index + 9) % 11]!, 0);
    values[place.drift] = shapeDifference(bands, past[(index + 1) % 11]!);
    measureShape(mel, bands);
    const { rounded, exact } = lower(samples);
    tones.push(rounded);
    pitch.push(exact);
    const { voicing, hertz } = pitch.measure();
    values[place.voicing] = voicing;
    values[place.pitch] = 12 * Math.log2(hertz / 70);
    values[place.tones] = tones.last.count;
    values[place.tonality] = tones.last.share;
  };

  function measureShape(mel: Float32Array, bands: Float32Array): void {
    let weight = 1e-9;
    let moment = 0;
    for (let band = 0; band < BANDS; band++) {
      weight += mel[band]!;
      moment += band * mel[band]!;
    }
    values[place.centroid] = moment / weight;
    let logs = 0;
    let energy = 0;
    for (let band = VOICE_FROM; band < VOICE_TO; band++) {
      logs += bands[band]!;
      energy += mel[band]! + FLOOR;
    }
    const count = VOICE_TO - VOICE_FROM;
    values[place.flatness] = logs / count - decibels(energy / count);
  }
}

const decibels = (power: number) => 10 * Math.log10(power + 1e-12);

function sum(values: Float32Array, from: number, to: number): number {
  let total = 0;
  for (let i = from; i < to; i++) total += values[i]!;
  return total;
}

function loudest(one: Float32Array, other: Float32Array): number {
  let most = -Infinity;
  for (let band = 0; band < BANDS; band++) most = Math.max(most, one[band]!, other[band]!);
  return most;
}

/** Returns the mean difference of the bands, dB. `shift` is added to the bands of `one`. */
function difference(one: Float32Array, other: Float32Array, shift: number): number {
  const least = loudest(one, other) - DEPTH_DB;
  let total = 0;
  for (let band = 0; band < BANDS; band++)
    total += Math.abs(Math.max(least, one[band]! + shift) - Math.max(least, other[band]!));
  return total / BANDS;
}

function shapeDifference(one: Float32Array, other: Float32Array): number {
  let shift = 0;
  for (let band = 0; band < BANDS; band++) shift += other[band]! - one[band]!;
  return difference(one, other, shift / BANDS);
}

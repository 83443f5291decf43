/** Makes waveforms for players: the lowest and highest sample of each short interval. */
import { SAMPLE_RATE } from './spectrum.ts';

/** The format of BBC audiowaveform ("Waveform data file format", JSON, version 2), which peaks.js and wavesurfer.js read. */
export interface Waveform {
  readonly version: 2;
  readonly channels: 1;
  readonly sample_rate: number;
  readonly samples_per_pixel: number;
  readonly bits: 8;
  readonly length: number;
  /** Pairs: the lowest and the highest value of each pixel, -128 to 127. */
  readonly data: readonly number[];
}

/** The samples of a pixel at the highest resolution: 20 ms, for screens that show a few seconds of sound. */
const FINEST_SAMPLES = 320;
/** The maximum number of pixels: 22 minutes at 20 ms, and at most 655 KB of JSON. For longer sound, a pixel covers more time. */
const MOST_PIXELS = 65_536;

/** Reads 16 kHz mono PCM in chunks of any length. Keeps two bytes for each pixel. */
export function createWaveform() {
  let pixels: Int8Array = new Int8Array(2 * MOST_PIXELS);
  let perPixel = FINEST_SAMPLES;
  let length = 0;
  let count = 0;
  let [low, high] = [0, 0];

  const add = () => {
    if (length === MOST_PIXELS) coarsen();
    pixels[2 * length] = low >> 8;
    pixels[2 * length + 1] = high >> 8;
    length += 1;
    count = 0;
  };
  /** Merges each pixel with the next one, so that half as many pixels cover the same time. */
  const coarsen = () => {
    const halved = new Int8Array(2 * MOST_PIXELS);
    for (let at = 0; at < length / 2; at++) {
      halved[2 * at] = Math.min(pixels[4 * at]!, pixels[4 * at + 2]!);
      halved[2 * at + 1] = Math.max(pixels[4 * at + 1]!, pixels[4 * at + 3]!);
    }
    pixels = halved;
    length /= 2;
    perPixel *= 2;
  };

  return {
    push(samples: Int16Array): void {
      for (const sample of samples) {
        // If the resolution changes during a pixel, the pixel continues with the lower resolution.
        if (count === 0) [low, high] = [sample, sample];
        else if (sample < low) low = sample;
        else if (sample > high) high = sample;
        count += 1;
        if (count >= perPixel) add();
      }
    },
    end(): Waveform {
      if (count > 0) add();
      return {
        version: 2,
        channels: 1,
        sample_rate: SAMPLE_RATE,
        samples_per_pixel: perPixel,
        bits: 8,
        length,
        data: Array.from(pixels.subarray(0, 2 * length)),
      };
    },
  };
}

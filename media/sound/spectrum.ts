/** Computes the short-time spectrum of sound. Other modules use it to find kinds of sound, pauses and voices. */
export const SAMPLE_RATE = 16_000;
/** A frame lasts 25 ms, and a new frame starts every 10 ms. It is short enough for a steady sound, and long enough for two periods of a low voice. */
export const FRAME_SAMPLES = 400;
export const HOP_SAMPLES = 160;
export const HOP_MS = 10;
/** The size of the transform: the next power of two. Frames are padded with zeros. */
const FFT_SIZE = 512;
/** The number of frequencies in the power spectrum, from 0 Hz to 8 kHz in steps of 31.25 Hz. */
export const BINS = FFT_SIZE / 2 + 1;

export type SpectrumOptions = {
  /** Pre-emphasis: this share of the previous sample is subtracted, to amplify high frequencies. Usual for speech: 0.97. */
  emphasis?: number;
  window?: 'hamming' | 'hann';
  /** The number of triangular mel bands between `low_hz` and `high_hz`. */
  bands?: number;
  low_hz?: number;
  high_hz?: number;
};

/** One frame. The next frame overwrites the arrays. */
export type Frame = {
  /** The frame begins at `index * HOP_MS` ms. */
  readonly index: number;
  /** The original samples, from -1 to 1. */
  readonly samples: Float32Array;
  /** The squared magnitude at each of the `BINS` frequencies, after pre-emphasis and window. */
  readonly power: Float32Array;
  /** The energy of each mel band, on a linear scale. */
  readonly mel: Float32Array;
};

/** Reads 16 kHz mono PCM in chunks of any length. Samples after the last whole frame are ignored. */
export function createSpectrum(onFrame: (frame: Frame) => void, options: SpectrumOptions = {}) {
  const { emphasis = 0.97, window = 'hamming', bands = 26, low_hz = 20, high_hz = SAMPLE_RATE / 2 } = options;
  const weights = windowOf(window);
  const powerOf = createPowerSpectrum();
  const melOf = createMelBands(bands, low_hz, high_hz);
  const samples = new Float32Array(FRAME_SAMPLES);
  const shaped = new Float64Array(FFT_SIZE);
  const power = new Float32Array(BINS);
  const mel = new Float32Array(bands);
  let filled = 0;
  let index = 0;

  const hand = () => {
    let before = samples[0]!;
    for (let i = 0; i < FRAME_SAMPLES; i++) {
      const sample = samples[i]!;
      shaped[i] = (sample - emphasis * before) * weights[i]!;
      before = sample;
    }
    powerOf(shaped, power);
    melOf(power, mel);
    onFrame({ index, samples, power, mel });
    index += 1;
    samples.copyWithin(0, HOP_SAMPLES);
    filled = FRAME_SAMPLES - HOP_SAMPLES;
  };

  return {
    push(chunk: Int16Array): void {
      for (let from = 0; from < chunk.length; ) {
        const count = Math.min(FRAME_SAMPLES - filled, chunk.length - from);
        for (let i = 0; i < count; i++) samples[filled + i] = chunk[from + i]! / 0x8000;
        filled += count;
        from += count;
        if (filled === FRAME_SAMPLES) hand();
      }
    },
  };
}

/** Mel-frequency cepstral coefficients (Davis and Mermelstein 1980): the orthonormal DCT-II of the logarithms. */
export function createCepstrum(bands: number, count: number) {
  const basis = new Float64Array(count * bands);
  for (let k = 0; k < count; k++) {
    const scale = Math.sqrt((k === 0 ? 1 : 2) / bands);
    for (let b = 0; b < bands; b++)
      basis[k * bands + b] = scale * Math.cos((Math.PI * k * (b + 0.5)) / bands);
  }
  const logs = new Float64Array(bands);
  return (mel: Float32Array, out: Float32Array | Float64Array): void => {
    // Adds a value far below the noise of 16 bits, because digital silence has no logarithm.
    for (let b = 0; b < bands; b++) logs[b] = Math.log(mel[b]! + 1e-10);
    for (let k = 0; k < count; k++) {
      let sum = 0;
      for (let b = 0; b < bands; b++) sum += basis[k * bands + b]! * logs[b]!;
      out[k] = sum;
    }
  };
}

function windowOf(kind: 'hamming' | 'hann'): Float64Array {
  const raised = kind === 'hamming' ? 0.54 : 0.5;
  return Float64Array.from(
    { length: FRAME_SAMPLES },
    (_, i) => raised - (1 - raised) * Math.cos((2 * Math.PI * i) / (FRAME_SAMPLES - 1)),
  );
}

/** Computes the power spectrum of 512 real samples by one complex transform of half the size (Press et al., §12.3.2). */
function createPowerSpectrum() {
  const half = FFT_SIZE / 2;
  const transform = createFft(half);
  const re = new Float64Array(half);
  const im = new Float64Array(half);
  const cos = Float64Array.from({ length: half + 1 }, (_, k) => Math.cos((2 * Math.PI * k) / FFT_SIZE));
  const sin = Float64Array.from({ length: half + 1 }, (_, k) => Math.sin((2 * Math.PI * k) / FFT_SIZE));
  return (samples: Float64Array, power: Float32Array): void => {
    for (let i = 0; i < half; i++) {
      re[i] = samples[2 * i]!;
      im[i] = samples[2 * i + 1]!;
    }
    transform(re, im);
    for (let k = 0; k <= half; k++) {
      const at = k % half;
      const mirror = (half - k) % half;
      const evenRe = (re[at]! + re[mirror]!) / 2;
      const evenIm = (im[at]! - im[mirror]!) / 2;
      const oddRe = (im[at]! + im[mirror]!) / 2;
      const oddIm = (re[mirror]! - re[at]!) / 2;
      const real = evenRe + cos[k]! * oddRe + sin[k]! * oddIm;
      const imaginary = evenIm + cos[k]! * oddIm - sin[k]! * oddRe;
      power[k] = real * real + imaginary * imaginary;
    }
  };
}

/** Computes the discrete Fourier transform in place, radix 2. The roots of unity are computed once (Cooley and Tukey 1965). */
function createFft(size: number) {
  const bits = Math.log2(size);
  const swaps: number[] = [];
  for (let i = 0; i < size; i++) {
    let mirrored = 0;
    for (let bit = 0; bit < bits; bit++) mirrored |= ((i >> bit) & 1) << (bits - 1 - bit);
    if (mirrored > i) swaps.push(i, mirrored);
  }
  const order = Uint16Array.from(swaps);
  const cos = Float64Array.from({ length: size / 2 }, (_, k) => Math.cos((2 * Math.PI * k) / size));
  const sin = Float64Array.from({ length: size / 2 }, (_, k) => -Math.sin((2 * Math.PI * k) / size));
  return (re: Float64Array, im: Float64Array): void => {
    for (let i = 0; i < order.length; i += 2) {
      swap(re, order[i]!, order[i + 1]!);
      swap(im, order[i]!, order[i + 1]!);
    }
    for (let span = 1; span < size; span *= 2) {
      const stride = size / (2 * span);
      for (let start = 0; start < size; start += 2 * span) {
        for (let k = 0; k < span; k++) {
          const c = cos[k * stride]!;
          const s = sin[k * stride]!;
          const low = start + k;
          const high = low + span;
          const turnedRe = re[high]! * c - im[high]! * s;
          const turnedIm = re[high]! * s + im[high]! * c;
          re[high] = re[low]! - turnedRe;
          im[high] = im[low]! - turnedIm;
          re[low] = re[low]! + turnedRe;
          im[low] = im[low]! + turnedIm;
        }
      }
    }
  };
}

function swap(values: Float64Array, one: number, other: number): void {
  const kept = values[one]!;
  values[one] = values[other]!;
  values[other] = kept;
}

/** Creates triangular bands of equal width in mel. Neighbors overlap by half. Each band sums the weighted power (O'Shaughnessy 1987). */
function createMelBands(bands: number, low_hz: number, high_hz: number) {
  const mel = (hz: number) => 1127 * Math.log(1 + hz / 700);
  const width = (mel(high_hz) - mel(low_hz)) / (bands + 1);
  const binOf = (edge: number) =>
    (700 * (Math.exp((mel(low_hz) + edge * width) / 1127) - 1) * FFT_SIZE) / SAMPLE_RATE;
  const triangles = Array.from({ length: bands }, (_, band) =>
    triangle(binOf(band), binOf(band + 1), binOf(band + 2)),
  );
  const firsts = Uint16Array.from(triangles, ({ first }) => first);
  const ends = Uint16Array.from(triangles, ({ first, weights }) => first + weights.length);
  const flat = Float64Array.from(triangles.flatMap(({ weights }) => weights));
  return (power: Float32Array, out: Float32Array): void => {
    for (let band = 0, at = 0; band < bands; band++) {
      let sum = 0;
      for (let bin = firsts[band]!; bin < ends[band]!; bin++, at++) sum += flat[at]! * power[bin]!;
      out[band] = sum;
    }
  };
}

/** Returns the weights of a triangle at its frequencies. A triangle between two frequencies of the spectrum uses the nearest one. */
function triangle(left: number, peak: number, right: number): { first: number; weights: number[] } {
  const first = Math.ceil(left);
  const weights: number[] = [];
  for (let bin = first; bin <= Math.min(right, BINS - 1); bin++) {
    weights.push(Math.max(0, bin < peak ? (bin - left) / (peak - left) : (right - bin) / (right - peak)));
  }
  return weights.some((weight) => weight > 0)
    ? { first, weights }
    : { first: Math.round(peak), weights: [1] };
}

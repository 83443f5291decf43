import fc, { constantFrom, integer, property, uint8Array } from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  BINS,
  createCepstrum,
  createSpectrum,
  FRAME_SAMPLES,
  HOP_SAMPLES,
  SAMPLE_RATE,
  type SpectrumOptions,
} from '../../../media/sound/spectrum.ts';

type Kept = { index: number; samples: number[]; power: number[]; mel: number[] };

function framesOf(samples: Int16Array, options?: SpectrumOptions, chunk = samples.length): Kept[] {
  const kept: Kept[] = [];
  const spectrum = createSpectrum(({ index, samples, power, mel }) => {
    kept.push({ index, samples: [...samples], power: [...power], mel: [...mel] });
  }, options);
  for (let at = 0; at < samples.length; at += chunk) spectrum.push(samples.subarray(at, at + chunk));
  return kept;
}

const tone = (hz: number, count: number, level = 10_000) =>
  Int16Array.from({ length: count }, (_, i) => level * Math.sin((2 * Math.PI * hz * i) / SAMPLE_RATE));

/** Noise that is equal in every run. */
function noise(count: number): Int16Array {
  let state = 1;
  return Int16Array.from({ length: count }, () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 16) - 0x8000;
  });
}

function plainPower(samples: readonly number[], raised: number, emphasis: number): number[] {
  const shaped = samples.map((sample, i) => {
    const weight = raised - (1 - raised) * Math.cos((2 * Math.PI * i) / (FRAME_SAMPLES - 1));
    return (sample - emphasis * samples[Math.max(0, i - 1)]!) * weight;
  });
  return Array.from({ length: BINS }, (_, k) => {
    let re = 0;
    let im = 0;
    for (const [i, value] of shaped.entries()) {
      re += value * Math.cos((2 * Math.PI * k * i) / 512);
      im -= value * Math.sin((2 * Math.PI * k * i) / 512);
    }
    return re * re + im * im;
  });
}

describe('the short-time spectrum', () => {
  it.each([
    ['hamming', 0.54, 0.97],
    ['hann', 0.5, 0],
  ] as const)('equals the direct Fourier transform, with the window of %s', (window, raised, emphasis) => {
    for (const frame of framesOf(noise(1000), { window, emphasis })) {
      const expected = plainPower(frame.samples, raised, emphasis);
      const largest = Math.max(...expected);
      for (const [k, value] of expected.entries())
        expect(Math.abs(frame.power[k]! - value)).toBeLessThan(largest * 1e-6);
    }
  });

  it('has a frame of 25 ms every 10 ms, only if all of its samples exist', () => {
    const samples = noise(FRAME_SAMPLES + 3 * HOP_SAMPLES - 1);
    const frames = framesOf(samples);
    expect(frames.map(({ index }) => index)).toEqual([0, 1, 2]);
    for (const frame of frames) {
      const from = frame.index * HOP_SAMPLES;
      expect(frame.samples).toEqual([...samples.subarray(from, from + FRAME_SAMPLES)].map((s) => s / 0x8000));
    }
    expect(framesOf(noise(FRAME_SAMPLES - 1))).toEqual([]);
  });

  it('does not depend on the length of the chunks', () => {
    const lengths = integer({ min: 1, max: 1200 });
    fc.assert(
      property(uint8Array({ minLength: 2, maxLength: 4000 }), lengths, (bytes, chunk) => {
        const samples = new Int16Array(bytes.slice(0, bytes.length & ~1).buffer);
        expect(framesOf(samples, {}, chunk)).toEqual(framesOf(samples));
      }),
      { numRuns: 30 },
    );
  });

  it('shows each of several tones in its own band', () => {
    const mel = (hz: number) => 1127 * Math.log(1 + hz / 700);
    fc.assert(
      property(integer({ min: 150, max: 7000 }), constantFrom(20, 26, 40), (hz, bands) => {
        const [frame] = framesOf(tone(hz, FRAME_SAMPLES), { bands, emphasis: 0 });
        const loudest = frame!.mel.indexOf(Math.max(...frame!.mel));
        const width = (mel(8000) - mel(20)) / (bands + 1);
        const expected = (mel(hz) - mel(20)) / width - 1;
        expect(Math.abs(loudest - expected)).toBeLessThan(1.2);
      }),
      { numRuns: 50 },
    );
  });

  it('has at least one frequency in every mel band', () => {
    const [frame] = framesOf(noise(FRAME_SAMPLES), { bands: 40 });
    expect(Math.min(...frame!.mel)).toBeGreaterThan(0);
  });

  it('is finite for digital silence', () => {
    const [frame] = framesOf(new Int16Array(FRAME_SAMPLES));
    const coefficients = new Float64Array(13);
    createCepstrum(26, 13)(Float32Array.from(frame!.mel), coefficients);
    expect([...coefficients].every(Number.isFinite)).toBe(true);
  });
});

describe('the cepstrum', () => {
  it('is the orthonormal cosine transform of the logarithms', () => {
    const mel = Float32Array.from({ length: 26 }, (_, b) => 1 + ((b * 7) % 5));
    const out = new Float64Array(13);
    createCepstrum(26, 13)(mel, out);
    for (const [k, value] of out.entries()) {
      let sum = 0;
      for (const [b, energy] of mel.entries())
        sum += Math.log(energy) * Math.cos((Math.PI * k * (b + 0.5)) / 26);
      expect(value).toBeCloseTo(sum * Math.sqrt((k === 0 ? 1 : 2) / 26), 6);
    }
  });

  it('changes only in its first coefficient if the sound gets louder', () => {
    const [soft, loud] = [1, 100].map((level) => {
      const out = new Float64Array(13);
      const mel = Float32Array.from({ length: 26 }, (_, b) => level * (1 + (b % 4)));
      createCepstrum(26, 13)(mel, out);
      return out;
    });
    expect(loud![0]! - soft![0]!).toBeCloseTo(Math.sqrt(26) * Math.log(100), 5);
    for (let k = 1; k < 13; k++) expect(loud![k]!).toBeCloseTo(soft![k]!, 5);
  });
});

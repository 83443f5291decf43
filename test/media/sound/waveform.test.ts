import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createWaveform } from '../../../media/sound/waveform.ts';

function peaksOf(samples: Int16Array, chunk = samples.length) {
  const peaks = createWaveform();
  for (let at = 0; at < samples.length; at += Math.max(1, chunk))
    peaks.push(samples.subarray(at, at + chunk));
  return peaks.end();
}

describe('the waveform of a sound', () => {
  it('has the lowest and highest sample of each 20 ms, in eight bits', () => {
    const anySamples = fc.int16Array({ maxLength: 3000 });
    fc.assert(
      fc.property(anySamples, fc.integer({ min: 1, max: 700 }), (samples, chunk) => {
        const { data, length, samples_per_pixel, sample_rate } = peaksOf(samples, chunk);
        expect([samples_per_pixel, sample_rate]).toEqual([320, 16_000]);
        expect(length).toBe(Math.ceil(samples.length / 320));
        const expected = Array.from({ length }, (_, at) => {
          const stretch = samples.subarray(at * 320, (at + 1) * 320);
          return [Math.min(...stretch) >> 8, Math.max(...stretch) >> 8];
        });
        expect(data).toEqual(expected.flat());
      }),
      { numRuns: 50 },
    );
  });

  it.each([30, 70])(
    'of %i minutes has at most a megabyte, because each pixel covers more samples',
    (minutes) => {
      const peaks = createWaveform();
      const minute = Int16Array.from({ length: 60 * 16_000 }, (_, i) => (i % 2 === 0 ? 32_767 : -32_768));
      const quiet = new Int16Array(minute.length);
      for (let i = 0; i < minutes; i++) peaks.push(i === minutes - 2 ? minute : quiet);
      const waveform = peaks.end();
      const { length, samples_per_pixel, data } = waveform;
      expect(length).toBeLessThanOrEqual(65_536);
      expect(length).toBeGreaterThan(32_768);
      expect(Math.abs(length * samples_per_pixel - minutes * minute.length)).toBeLessThan(
        2 * samples_per_pixel,
      );
      expect(JSON.stringify(waveform).length).toBeLessThan(1_000_000);
      // The loud minute is at the right time, with an error of at most one pixel.
      const first = Math.floor(data.findIndex((value) => value !== 0) / 2);
      const told_s = (first * samples_per_pixel) / 16_000;
      expect(Math.abs(told_s - (minutes - 2) * 60)).toBeLessThanOrEqual(samples_per_pixel / 16_000);
    },
  );

  it('of an empty sound has no pixels', () => {
    expect(peaksOf(new Int16Array(0))).toMatchObject({ length: 0, data: [] });
  });
});

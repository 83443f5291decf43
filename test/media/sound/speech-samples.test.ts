import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { medianPitch } from '../../../media/sound/pitch.ts';
import { resample } from '../../../media/sound/resample.ts';
import { measureSpeechLoudness } from '../../../media/sound/speech-loudness.ts';
import { fadeEnds, peakOf, trimSpeech } from '../../../media/sound/trim-speech.ts';
import { fixturePath } from '../../fixtures/media.ts';

const execute = promisify(execFile);

const sine = (hertz: number, rate: number, ms: number, level = 8000) =>
  Int16Array.from({ length: Math.round((rate * ms) / 1000) }, (_, at) =>
    Math.round(level * Math.sin((2 * Math.PI * hertz * at) / rate)),
  );

/** Bursts and pauses of different levels. */
const bursts = () => {
  const samples = sine(440, 48_000, 6000);
  return samples.map((sample, at) =>
    Math.round(sample * [1, 0.3, 0, 0.02, 0.7][Math.floor(at / 14_000) % 5]!),
  );
};

describe('resampled sound', () => {
  it.each([
    [22_050, 48_000],
    [16_000, 48_000],
    [44_100, 48_000],
    [48_000, 16_000],
  ])('is the same sound after conversion from %d to %d Hz', (from, to) => {
    const result = resample(sine(1000, from, 500), from, to);
    const ideal = sine(1000, to, 500);
    expect(result.length).toBe(ideal.length);
    const margin = to / 100;
    const inner = result.subarray(margin, -margin);
    const worst = inner.reduce(
      (most, sample, at) => Math.max(most, Math.abs(sample - ideal[at + margin]!)),
      0,
    );
    expect(worst).toBeLessThan(25);
  });

  it('has no aliases of frequencies above the new rate', () => {
    expect(peakOf(resample(sine(11_000, 48_000, 200), 48_000, 16_000).subarray(200, -200))).toBeLessThan(20);
  });
});

describe('the loudness of samples', () => {
  it('equals that of ffmpeg', async () => {
    const samples = bursts();
    const file = fixturePath('bursts.raw');
    await writeFile(file, new Uint8Array(samples.buffer));
    const raw = ['-f', 's16le', '-ar', '48000', '-ac', '1', '-i', file];
    const { stderr } = await execute('ffmpeg', ['-hide_banner', ...raw, '-af', 'ebur128', '-f', 'null', '-']);
    const [, lufs] = /I:\s+(-?[\d.]+) LUFS/.exec(stderr.slice(stderr.lastIndexOf('Summary:')))!;
    expect(Math.abs(measureSpeechLoudness(samples)! - Number(lufs))).toBeLessThan(0.11);
  });

  it('is null for silence, and includes all of a short sound', () => {
    expect(measureSpeechLoudness(new Int16Array(48_000))).toBeNull();
    expect(measureSpeechLoudness(new Int16Array(0))).toBeNull();
    expect(measureSpeechLoudness(sine(1000, 48_000, 150))).toBeCloseTo(
      measureSpeechLoudness(sine(1000, 48_000, 3000))!,
      0,
    );
  });
});

describe('the silence around speech', () => {
  it('is removed except 10 ms, with soft ends', () => {
    const speech = sine(300, 48_000, 400);
    const samples = new Int16Array(48_000);
    samples.set(speech, 12_000);
    const kept = trimSpeech(samples, 48_000);
    expect(Math.abs(kept.length - speech.length - 2 * 480)).toBeLessThan(20);
    expect(Math.abs(fadeEnds(sine(300, 48_000, 100), 200)[0]!)).toBeLessThan(50);
    expect(trimSpeech(new Int16Array(4800), 48_000)).toHaveLength(0);
  });
});

describe('the pitch of a voice', () => {
  it.each([90, 140, 220])('is found at %d Hz', (hertz) => {
    const voice = sine(hertz, 16_000, 1000).map(
      (sample, at) => (sample + 4000 * Math.sin((4 * Math.PI * hertz * at) / 16_000)) / 2,
    );
    expect(Math.abs(medianPitch(voice)! / hertz - 1)).toBeLessThan(0.03);
  });

  it('is null for noise, silence and very short sound', () => {
    let seed = 1;
    const noise = Int16Array.from({ length: 16_000 }, () => {
      seed = (seed * 16_807) % 2_147_483_647;
      return (seed % 16_000) - 8000;
    });
    for (const samples of [noise, new Int16Array(16_000), sine(120, 16_000, 100)])
      expect(medianPitch(samples)).toBeNull();
  });
});

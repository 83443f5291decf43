import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Interval } from '../../shared/sound.ts';
import { makeTalk, type Talk } from './talk.ts';

const dir = mkdtempSync(join(tmpdir(), 'kinora-talk-'));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

describe('a generated talk', () => {
  let talk: Talk;
  let samples: Int16Array;
  beforeAll(async () => {
    talk = await makeTalk({ minutes: 1.5, seed: 4, dir });
    samples = new Int16Array(new Uint8Array(readFileSync(talk.file).subarray(44)).buffer);
  });

  const level = ({ start_ms, end_ms }: Interval) => {
    const heard = samples.subarray(start_ms * 16, end_ms * 16);
    return (
      20 * Math.log10(Math.sqrt(heard.reduce((sum, value) => sum + value ** 2, 0) / heard.length) / 32_768)
    );
  };

  it('has the requested length', () => {
    expect(talk.duration_ms).toBe(90_000);
    expect(samples).toHaveLength(90 * 16_000);
  });

  it('is the same for the same seed', async () => {
    const again = await makeTalk({ minutes: 1.5, seed: 4, dir: join(dir, 'again') });
    expect(again.sentences).toEqual(talk.sentences);
    expect(readFileSync(again.file).equals(readFileSync(talk.file))).toBe(true);
  });

  it('leaves only the recording in its folder', async () => {
    const other = await makeTalk({ minutes: 0.2, seed: 5, dir: join(dir, 'alone') });
    expect(readdirSync(join(dir, 'alone')).map((name) => join(dir, 'alone', name))).toEqual([other.file]);
  });

  it('has ordered sentences of several voices, outside of music and noise', () => {
    expect(new Set(talk.sentences.map(({ text }) => text)).size).toBe(talk.sentences.length);
    expect(new Set(talk.sentences.map(({ voice }) => voice)).size).toBeGreaterThan(1);
    const all = [...talk.sentences, ...talk.stretches].sort((a, b) => a.start_ms - b.start_ms);
    for (const [i, { start_ms }] of all.entries())
      expect(start_ms).toBeGreaterThanOrEqual(all[i - 1]?.end_ms ?? 0);
    expect(talk.stretches.length).toBeGreaterThan(0);
  });

  it('is loud within its sentence times, and quiet before and after', () => {
    for (const { start_ms, end_ms } of talk.sentences) {
      expect(level({ start_ms, end_ms })).toBeGreaterThan(-27);
      expect(level({ start_ms: start_ms - 200, end_ms: start_ms })).toBeLessThan(-50);
      expect(level({ start_ms: end_ms + 1, end_ms: end_ms + 200 })).toBeLessThan(-50);
    }
  });

  it('can be a video', async () => {
    const video = await makeTalk({ minutes: 0.2, seed: 5, dir, format: 'mp4' });
    const entries = ['-show_entries', 'stream=codec_type', '-of', 'csv=p=0', video.file];
    const streams = execFileSync('ffprobe', ['-v', 'error', ...entries], { encoding: 'utf8' });
    expect(streams.trim().split('\n').sort()).toEqual(['audio', 'video']);
  });
});

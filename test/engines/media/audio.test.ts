import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { byteRange, extractAudio, wavFile } from '../../../engines/media/audio.ts';
import { probe } from '../../../engines/media/probe.ts';
import { bestAudio, MEDIA_LIMITS } from '../../../platform/shared/media.ts';
import { aac, builds, fixturePath, h264, makeMedia, picture, tone } from '../../fixtures/media.ts';

const TIMEOUT_MS = 30_000;

/** The loudest sample of a stretch, 0 to 1. */
function peak(wav: Buffer, start_ms: number, end_ms: number): number {
  const { first, last } = byteRange(start_ms, end_ms);
  let loudest = 0;
  for (let at = first; at < Math.min(last, wav.length - 1); at += 2) {
    loudest = Math.max(loudest, Math.abs(wav.readInt16LE(at)) / 32768);
  }
  return loudest;
}

describe.each(builds)('extractAudio with $name', ({ name, tools }) => {
  const out = fixturePath(`${name.length}.wav`);
  const extract = async (file: string, options = {}) => {
    const track = bestAudio(await probe(tools, file, MEDIA_LIMITS))!;
    const duration_ms = await extractAudio(tools, file, track, out, { timeout_ms: TIMEOUT_MS, ...options });
    return { duration_ms, wav: await readFile(out) };
  };

  it('writes 16 kHz mono samples behind a header of 44 bytes', async () => {
    const file = await makeMedia('tagged.mp4', [
      ...picture(1),
      ...tone(1),
      ...h264,
      ...aac,
      '-metadata',
      'title=T',
    ]);
    const { wav, duration_ms } = await extract(file);
    expect(wav.toString('latin1', 36, 40)).toBe('data');
    expect([wav.readUInt16LE(22), wav.readUInt32LE(24), wav.readUInt16LE(34)]).toEqual([1, 16_000, 16]);
    expect(duration_ms).toBe(Math.floor((wav.length - 44) / 32));
    expect(Math.abs(duration_ms - 1000)).toBeLessThan(60);
    expect(wavFile(wav.subarray(44)).subarray(0, 44)).toEqual(wav.subarray(0, 44));
  });

  it('keeps the timeline: a track that starts late begins with silence', async () => {
    const file = await makeMedia('starts-late.mkv', [
      ...[...picture(3, '160x90'), '-itsoffset', '1.5', ...tone(1), ...h264, '-c:a', 'pcm_s16le'],
    ]);
    const { wav, duration_ms } = await extract(file);
    expect(Math.abs(duration_ms - 2500)).toBeLessThan(60);
    expect(peak(wav, 0, 1450)).toBe(0);
    expect(peak(wav, 1550, 2400)).toBeGreaterThan(0.05);
  });

  it('hears the centre of a 5.1 track', async () => {
    const surround = ['-af', 'pan=5.1|FL=0*c0|FR=0*c0|FC=c0|LFE=0*c0|BL=0*c0|BR=0*c0'];
    const file = await makeMedia('surround.mkv', [...tone(1), ...surround, '-c:a', 'flac']);
    const { wav } = await extract(file);
    expect(peak(wav, 200, 800)).toBeGreaterThan(0.02);
  });

  it('reports how far it is', async () => {
    const positions: number[] = [];
    const file = await makeMedia('hour.wav', [...['-f', 'lavfi', '-i', 'anullsrc=r=8000:cl=mono:d=600']]);
    await extract(file, { onProgress: (ms: number) => positions.push(ms) });
    expect(positions.at(-1)).toBeGreaterThan(599_000);
    expect(positions).toEqual(positions.toSorted((a, b) => a - b));
  });

  it('stops at once when it is aborted, with the reason given', async () => {
    const file = await makeMedia('long.wav', ['-f', 'lavfi', '-i', 'anullsrc=r=8000:cl=mono:d=3000']);
    const canceled = new Error('canceled');
    const stop = new AbortController();
    const running = extract(file, { signal: stop.signal, onProgress: () => stop.abort(canceled) });
    await expect(running).rejects.toBe(canceled);
    await expect(extract(file, { signal: AbortSignal.abort(canceled) })).rejects.toBe(canceled);
  });

  it('gives up as timed_out, which may be retried', async () => {
    const file = await makeMedia('endless.wav', ['-f', 'lavfi', '-i', 'anullsrc=r=8000:cl=mono:d=600']);
    await expect(extract(file, { timeout_ms: 1 })).rejects.toMatchObject({
      name: 'timed_out',
      retryable: true,
    });
  });
});

import { describe, expect, it } from 'vitest';
import {
  BYTES_PER_MS,
  byteRange,
  HEADER_BYTES,
  samplesOf,
  wavFile,
} from '../../../media/ffmpeg/extract-sound.ts';
import { aac, builds, h264, makeMedia, pcmOf, picture, tone } from '../../fixtures/media.ts';

/** The loudest sample of a time span, 0 to 1. */
const peak = (pcm: Buffer, start_ms: number, end_ms: number) =>
  samplesOf(pcm.subarray(start_ms * BYTES_PER_MS, end_ms * BYTES_PER_MS)).reduce(
    (loudest, sample) => Math.max(loudest, Math.abs(sample) / 32768),
    0,
  );
const msOf = (pcm: Buffer) => pcm.length / BYTES_PER_MS;
const endless = (seconds: number) => ['-f', 'lavfi', '-i', `anullsrc=r=8000:cl=mono:d=${seconds}`];

describe.each(builds)('the audio of media with $name', () => {
  it('is 16 kHz, mono, 16 bit', async () => {
    const file = await makeMedia('tagged.mp4', [...picture(1), ...tone(1), ...h264, ...aac]);
    expect(Math.abs(msOf(await pcmOf(file)) - 1000)).toBeLessThan(60);
  });

  it.each([
    ['mkv', [...h264, '-c:a', 'pcm_s16le']],
    ['ts', [...h264, '-c:a', 'mp2']],
    ['mpg', ['-c:v', 'mpeg2video', '-r', '25', '-c:a', 'mp2']],
  ])(
    'is aligned with the timeline: a track that starts late in %s starts with silence',
    async (container, codecs) => {
      const late = [...picture(3, '160x90'), '-itsoffset', '1.5', ...tone(1), ...codecs];
      const pcm = await pcmOf(await makeMedia(`starts-late.${container}`, late));
      expect(Math.abs(msOf(pcm) - 2500)).toBeLessThan(80);
      expect(peak(pcm, 0, 1400)).toBe(0);
      expect(peak(pcm, 1550, 2400)).toBeGreaterThan(0.05);
    },
  );

  it('includes the center channel of a 5.1 track', async () => {
    const surround = ['-af', 'pan=5.1|FL=0*c0|FR=0*c0|FC=c0|LFE=0*c0|BL=0*c0|BR=0*c0'];
    const file = await makeMedia('surround.mkv', [...tone(1), ...surround, '-c:a', 'flac']);
    expect(peak(await pcmOf(file), 200, 800)).toBeGreaterThan(0.02);
  });

  it('uses only one channel if the other has inverted polarity', async () => {
    const stereo = (name: string, pan: string) =>
      makeMedia(`${name}.flac`, [...tone(2), '-af', `pan=stereo|${pan}`, '-c:a', 'flac']);
    const heard = async (name: string, pan: string) => {
      const pcm = await pcmOf(await stereo(name, pan), { isStereo: true });
      return [msOf(pcm), peak(pcm, 300, 1900)] as const;
    };
    const [length, alone] = await heard('both', 'c0=c0|c1=c0');
    expect(Math.abs(length - 2000)).toBeLessThan(2);
    expect(await heard('turned', 'c0=c0|c1=-1*c0')).toEqual([length, alone]);
    expect((await heard('nearly', 'c0=c0|c1=-0.95*c0'))[1]).toBeCloseTo(alone, 2);
    expect((await heard('left', 'c0=c0|c1=0*c0'))[1]).toBeCloseTo(alone / 2, 2);
    expect((await heard('right', 'c0=0*c0|c1=c0'))[1]).toBeCloseTo(alone / 2, 2);
  });

  it('comes from the requested track', async () => {
    const both = [...tone(1), ...endless(2), '-map', '0', '-map', '1', '-c:a', 'flac'];
    const file = await makeMedia('two.mkv', both);
    expect(peak(await pcmOf(file, { track: 1 }), 0, 900)).toBeGreaterThan(0.05);
    expect(peak(await pcmOf(file, { track: 2 }), 0, 2000)).toBe(0);
  });

  it.each(['mp4', 'ts', 'flac'])('continues in the middle of %s, exact to the sample', async (container) => {
    const sweep = ['-f', 'lavfi', '-i', 'aevalsrc=0.4*sin(2*PI*t*(200+40*t)):s=48000:d=20'];
    const film = [...picture(20, '160x90'), ...sweep, ...h264, ...aac];
    const file = await makeMedia(`sweep.${container}`, container === 'flac' ? sweep : film);
    const whole = samplesOf(await pcmOf(file));
    const rest = samplesOf(await pcmOf(file, { from_ms: 11_000 }));
    expect(rest.length).toBe(whole.length - 11_000 * 16);
    // The largest difference between neighboring samples, where the sweep is fastest. Repeated or missing samples
    // would differ by more.
    const worst = rest.reduce((most, sample, i) => Math.max(most, Math.abs(sample - whole[i + 176_000]!)), 0);
    expect(worst).toBeLessThan(2500);
  });

  it.each(['mkv', 'avi'])(
    'continues in %s with an error of a few milliseconds, because the times in the file are rounded',
    async (container) => {
      const beep = ['-f', 'lavfi', '-i', "aevalsrc='0.5*sin(2*PI*t*500)*between(t,15,16)':s=48000:d=20"];
      const file = await makeMedia(`beep.${container}`, [...picture(20, '160x90'), ...beep, ...h264, ...aac]);
      const onset_ms = (pcm: Buffer) => samplesOf(pcm).findIndex((sample) => Math.abs(sample) > 3000) / 16;
      const [whole, rest] = [await pcmOf(file), await pcmOf(file, { from_ms: 11_000 })];
      expect(Math.abs(onset_ms(whole) - 11_000 - onset_ms(rest))).toBeLessThan(10);
    },
  );

  it('is rejected if it is longer than the limit', async () => {
    const file = await makeMedia('hour.wav', endless(600));
    await expect(pcmOf(file, { max_ms: 60_000 })).rejects.toMatchObject({ code: 'media_limit_exceeded' });
  });

  it('throws the reason of the signal immediately if it is aborted', async () => {
    const file = await makeMedia('long.wav', endless(3000));
    const canceled = new Error('canceled');
    await expect(pcmOf(file, { signal: AbortSignal.abort(canceled) })).rejects.toBe(canceled);
    const stop = new AbortController();
    setTimeout(() => stop.abort(canceled), 50);
    await expect(pcmOf(file, { signal: stop.signal })).rejects.toBe(canceled);
  });

  it('fails as timed_out, which is retryable', async () => {
    const file = await makeMedia('endless.wav', endless(600));
    const late = { name: 'timed_out', retryable: true };
    await expect(pcmOf(file, { timeout_ms: 1 })).rejects.toMatchObject(late);
  });
});

it('samples start after a header of 44 bytes, so that a time interval is a range of bytes', () => {
  const wav = wavFile(Buffer.alloc(3200));
  expect(wav.toString('latin1', 36, 40)).toBe('data');
  expect([wav.readUInt16LE(22), wav.readUInt32LE(24), wav.readUInt16LE(34)]).toEqual([1, 16_000, 16]);
  expect([wav.readUInt32LE(4), wav.readUInt32LE(40)]).toEqual([wav.length - 8, 3200]);
  expect(byteRange(10, 20)).toEqual({ first: HEADER_BYTES + 320, last: HEADER_BYTES + 639 });
});

import { describe, expect, it } from 'vitest';
import { decodePictures, type Looking, pictureSizes } from '../../../media/pictures/decode-pictures.ts';
import { makeMedia, opened, picture, tools } from '../../fixtures/media.ts';

const made = (name: string, args: string) => makeMedia(name, [...picture(4, '160x90'), ...args.split(' ')]);

async function seen(file: string, looking: Partial<Looking> = {}) {
  const all = { width: 160, height: 90, sample_ms: 1000, from_ms: 0, ...looking };
  const frames: number[] = [];
  const samples: { at_ms: number; frame: number; jpeg: Buffer }[] = [];
  let grey = 0;
  await opened(file, async (media) => {
    for await (const sight of decodePictures(tools, media, all, { timeout_ms: 60_000 })) {
      if (sight.kind === 'frame') frames.push(sight.frame.at_ms);
      else if (sight.kind === 'grey') grey += 1;
      else samples.push(sight.picture);
    }
  });
  return { frames, samples, grey };
}

const h264 = '-c:v libx264 -preset ultrafast -bf 2 -g 50';

describe('a video that is decoded once', () => {
  it('returns every frame with its time, five gray pictures a second, and one sample a second', async () => {
    const { frames, samples, grey } = await seen(await made('plain.mp4', h264));
    expect(frames).toEqual(Array.from({ length: 100 }, (_, at) => at * 40));
    expect(samples.map(({ at_ms, frame }) => [at_ms, frame])).toEqual(
      [0, 1, 2, 3].map((s) => [s * 1000, s * 25]),
    );
    expect(grey).toBe(20);
  });

  it.each([
    ['transport stream', 'stream.ts', `${h264} -f mpegts`],
    ['Matroska', 'late.mkv', h264],
    ['MPEG-2, interlaced', 'woven.mpg', '-c:v mpeg2video -flags +ildct+ilme -top 1 -f mpeg'],
    ['a rotated MP4', 'turned.mp4', `${h264} -metadata:s:v rotate=90`],
  ])('has the same times for every start: %s', async (_, name, args) => {
    const file = await made(name, args);
    const whole = (await seen(file)).frames;
    const later = (await seen(file, { from_ms: 2500 })).frames.filter((at_ms) => at_ms >= 2500);
    expect(later).toEqual(whole.filter((at_ms) => at_ms >= 2500));
    expect(whole).toHaveLength(100);
  });

  it('keeps the times of frames with irregular intervals', async () => {
    const args = `-vf select=not(mod(n\\,3))+lt(n\\,30) -vsync vfr ${h264}`;
    const { frames } = await seen(await made('irregular.mp4', args));
    expect(frames.slice(28, 33)).toEqual([1120, 1160, 1200, 1320, 1440]);
  });

  it('can be decoded without the frames to which no other frame refers', async () => {
    const file = await made('sparse.mp4', '-c:v libx264 -preset veryfast -bf 3 -g 50');
    const { frames, samples } = await seen(file, { isSparse: true });
    expect(frames.length).toBeLessThan(80);
    expect(samples.length).toBe(4);
  });
});

describe('the sizes of pictures', () => {
  it('keep the aspect ratio, also of upright pictures, and are never larger than the source', () => {
    expect(pictureSizes({ width: 3840, height: 2160 })).toMatchObject({
      grey: { width: 160, height: 90 },
      sample: { width: 1280, height: 720 },
    });
    expect(pictureSizes({ width: 1080, height: 1920 }).grey).toEqual({ width: 90, height: 160 });
    expect(pictureSizes({ width: 321, height: 179 }).sample).toEqual({ width: 322, height: 180 });
  });
});

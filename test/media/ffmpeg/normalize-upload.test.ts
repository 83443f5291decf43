import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import {
  type Normalizing,
  normalizePicture,
  normalizeVideo,
  probeAnimation,
  type Video,
} from '../../../media/ffmpeg/normalize-upload.ts';
import { probeMedia } from '../../../media/ffmpeg/probe-media.ts';
import { probePicture } from '../../../media/ffmpeg/probe-picture.ts';
import { MEDIA_LIMITS } from '../../../shared/media.ts';
import { fixturePath, h264, makeMedia, opened, picture, tone, tools } from '../../fixtures/media.ts';
import { png } from '../../support/evil/bytes.ts';

const output = fixturePath('normal');

const given = (media: Normalizing['media']) => ({ tools, media, output, timeout_ms: 60_000 });
const pictureOf = (file: string) => opened(file, (media) => normalizePicture(given(media)));
const videoOf = (file: string, wanted: Partial<Video> = {}) =>
  opened(file, async (media) => {
    const { video, audio } = await probeMedia(tools, media, MEDIA_LIMITS);
    const sound = audio[0]?.number ?? null;
    return normalizeVideo(given(media), { ...video!, sound, keepsAlpha: true, max_ms: 10_000, ...wanted });
  });

/** Red, green, blue and alpha of a pixel of the first picture. */
async function pixel(x: number, y: number, decoder: readonly string[] = []) {
  const filters = `format=rgba,crop=1:1:${x}:${y}`;
  const args = [
    '-v',
    'error',
    ...decoder,
    '-i',
    output,
    '-vf',
    filters,
    '-frames:v',
    '1',
    '-f',
    'rawvideo',
    '-',
  ];
  const { stdout } = await promisify(execFile)(tools.ffmpeg, args, { encoding: 'buffer' });
  return [...stdout];
}

/** Makes a JPEG with an orientation in its Exif data (CIPA DC-008 §4.6.4). */
async function turned(orientation: number) {
  const half = ['-f', 'lavfi', '-i', 'color=blue:s=40x20,drawbox=0:0:20:20:red:fill'];
  const plain = await readFile(await makeMedia('plain.jpg', [...half, '-frames:v', '1', '-q:v', '1']));
  const tiff = Buffer.from(
    `4d4d002a00000008000101120003000000010${orientation.toString(16).padStart(3, '0')}000000000000`,
    'hex',
  );
  const body = Buffer.concat([Buffer.from('Exif\0\0'), tiff]);
  const marker = Buffer.from([0xff, 0xe1, 0, body.length + 2]);
  const file = fixturePath(`turned-${orientation}.jpg`);
  await writeFile(file, Buffer.concat([plain.subarray(0, 2), marker, body, plain.subarray(2)]));
  return file;
}

describe('a picture', () => {
  it('is rotated upright for every Exif orientation', async () => {
    const upright = { media_type: 'image/png', width: 20, height: 40 };
    expect(await pictureOf(await turned(6))).toMatchObject(upright);
    const [red, , blue] = await pixel(10, 5);
    expect([red! > 200, blue! < 60]).toEqual([true, true]);
  });

  it('keeps its transparency', async () => {
    const half = ['-f', 'lavfi', '-i', 'color=red@0.5:s=33x17,format=rgba', '-frames:v', '1'];
    expect(await pictureOf(await makeMedia('half.png', half))).toMatchObject({ width: 33, height: 17 });
    expect((await pixel(3, 3))[3]).toBeCloseTo(127, -1);
  });

  it('is scaled down if it is larger than any clip', async () => {
    const file = fixturePath('large.png');
    await writeFile(file, png(7680, 3840));
    expect(await pictureOf(file)).toMatchObject({ width: 3840, height: 1920 });
  });
});

describe('a video', () => {
  it('has a constant frame rate, even sides and sound at 48 kHz', async () => {
    const uneven = ["select='not(eq(mod(n,3),1))'", 'scale=321:181'].join();
    const codecs = ['-vf', uneven, '-vsync', 'vfr', '-c:v', 'ffv1', '-c:a', 'pcm_s16le'];
    const args = [...picture(2, '320x180', '30'), ...tone(2), ...codecs];
    const form = await videoOf(await makeMedia('uneven.mkv', args));
    expect(form).toMatchObject({ media_type: 'video/mp4', width: 322, height: 182, has_audio: true });
    const entries = ['-select_streams', 'v', '-show_entries', 'packet=duration_time', '-of', 'csv=p=0'];
    const { stdout } = await promisify(execFile)(tools.ffprobe, ['-v', 'error', ...entries, output]);
    expect(new Set(stdout.trim().split('\n')).size).toBe(1);
  });

  it('is rotated upright', async () => {
    const lying = await makeMedia('lying.mp4', [...picture(1), ...h264]);
    const file = await makeMedia('upright.mp4', ['-i', lying, '-c', 'copy', '-metadata:s:v', 'rotate=90']);
    expect(await videoOf(file)).toMatchObject({ width: 180, height: 320, duration_ms: 1000 });
  });

  it.each([
    ['alpha.mov', ['-c:v', 'qtrle', '-pix_fmt', 'argb']],
    ['alpha.webm', ['-c:v', 'libvpx-vp9', '-pix_fmt', 'yuva420p', '-deadline', 'realtime', '-cpu-used', '8']],
  ])('keeps its transparency: %s', async (name, codec) => {
    const half = ['-f', 'lavfi', '-i', 'color=red@0.5:s=64x48:r=10:d=0.5,format=rgba'];
    const file = await makeMedia(name, [...half, ...codec]);
    const webm = { media_type: 'video/webm', duration_ms: 500, has_audio: false };
    expect(await videoOf(file)).toMatchObject(webm);
    expect((await pixel(3, 3, ['-c:v', 'libvpx-vp9']))[3]).toBeCloseTo(127, -1);
  });

  it('is refused if it is too long', async () => {
    const file = await makeMedia('three.mp4', [...picture(3), ...h264]);
    await expect(videoOf(file, { max_ms: 1000 })).rejects.toMatchObject({ code: 'media_limit_exceeded' });
  });
});

describe('an animated picture', () => {
  it.each([
    ['moving.gif', []],
    ['moving.png', ['-pix_fmt', 'rgba', '-f', 'apng']],
  ])('becomes a video with transparency: %s', async (name, format) => {
    const file = await makeMedia(name, [...picture(1, '64x48', '10'), ...format]);
    const form = await opened(file, async (media) =>
      normalizeVideo(given(media), (await probeAnimation(given(media), 10_000))!),
    );
    const frame_rate = { num: 10, den: 1 };
    expect(form).toMatchObject({ media_type: 'video/webm', duration_ms: 1000, frame_rate });
  });

  it('needs more than one frame', async () => {
    const file = await makeMedia('still.gif', [...picture(0.04, '64x48'), '-frames:v', '1']);
    expect(await opened(file, (media) => probeAnimation(given(media), 10_000))).toBeNull();
  });

  it('in WebP is refused with advice', async () => {
    const still = { create: { width: 8, height: 8, channels: 4, background: 'red' } } as const;
    const frames = Buffer.concat([await sharp(still).raw().toBuffer(), Buffer.alloc(8 * 8 * 4, 90)]);
    const raw = { width: 8, height: 16, channels: 4, pageHeight: 8 } as const;
    const file = fixturePath('moving.webp');
    await sharp(frames, { raw })
      .webp({ loop: 0, delay: [100, 100] })
      .toFile(file);
    await expect(opened(file, (media) => probePicture(tools, media, 640 * 360))).rejects.toMatchObject({
      code: 'media_unreadable',
      message: expect.stringContaining('Upload a GIF or APNG'),
    });
    await sharp(still).webp().toFile(file);
    const size = await opened(file, (media) => probePicture(tools, media, 640 * 360));
    expect(size).toEqual({ width: 8, height: 8 });
  });
});

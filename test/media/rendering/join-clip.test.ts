import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { inspectSource } from '../../../media/rendering/inspect-source.ts';
import { chunkIdentity } from '../../../media/rendering/part-identity.ts';
import { outputOf } from '../../../media/rendering/plan-render.ts';
import { renderChunk } from '../../../media/rendering/render-chunk.ts';
import { aac, h264, makeMedia, opened, pcmOf, picture, tone, tools } from '../../fixtures/media.ts';
import { branded, framesOf, likeness, look, pictureOf, planned, render } from './rendered.ts';

const execute = promisify(execFile);

/** Makes a video with a flash of one frame and a beep at every second. Groups of pictures last one second. */
async function flashes(name: string, rate: string, more: readonly string[] = []): Promise<string> {
  const [num, den = 1] = rate.split('/').map(Number) as [number, number?];
  const flash = `drawbox=c=white:t=fill:enable='lt(mod(n,${Math.round(num / den)}),1)'`;
  const beep = `aevalsrc='if(lt(mod(t,${(Math.round(num / den) * den) / num}),.03),sin(2*PI*1000*t)/2,0)':s=48000:d=6`;
  return makeMedia(name, [
    ...['-f', 'lavfi', '-i', `color=black:s=160x90:r=${rate}:d=6,${flash}`, '-f', 'lavfi', '-i', beep],
    ...[...h264, '-bf', '2', '-g', String(Math.round(num / den)), '-sc_threshold', '0', ...aac, ...more],
  ]);
}

/** The start times of the flashes and of the beeps, seconds. */
async function signals(file: string) {
  const { frames, duration } = await pictureOf(file);
  const pictures = await framesOf(file, [...Array(frames).keys()], [2, 2]);
  const isBright = pictures.map(({ rgb }) => rgb[0]! > 128);
  const seen = isBright.flatMap((bright, at) =>
    bright && !isBright[at - 1] ? [(at * duration) / frames] : [],
  );
  const pcm = await pcmOf(file);
  const heard: number[] = [];
  for (let at = 0, last = -1; at < pcm.length / 2; at += 1) {
    if (Math.abs(pcm.readInt16LE(2 * at)) < 3000) continue;
    if (last < 0 || at - last > 4000) heard.push(at / 16_000);
    last = at;
  }
  return { seen, heard };
}

const ntsc = await flashes('ntsc.mp4', '30000/1001');

describe('a clip', () => {
  it('has the requested frames, with sound and picture in sync within 20 ms to the end', async () => {
    const { file, plan } = await render(ntsc, { start_frame: 7, end_frame: 160, chunk: 60 });
    expect(await pictureOf(file)).toMatchObject({ frames: 153, duration: 5.1051 });
    expect(plan).toMatchObject({ frames: 153, duration_ms: 5105 });
    const { seen, heard } = await signals(file);
    expect(seen).toHaveLength(5);
    expect(seen[0]).toBeCloseTo((23 * 1001) / 30_000, 4);
    expect(heard).toHaveLength(5);
    for (const [at, time] of seen.entries()) expect(Math.abs(time - heard[at]!)).toBeLessThan(0.02);
  });

  it.each([
    ['a transport stream, whose clock begins at any time', 'flashes.ts', ['-output_ts_offset', '5000']],
    ['Matroska, whose times are whole milliseconds', 'flashes.mkv', []],
  ])('of %s starts with the same frame', async (_, name, more) => {
    const { file } = await render(await flashes(name, '25', more), { start_frame: 40, end_frame: 90 });
    expect((await pictureOf(file)).frames).toBe(50);
    const { seen, heard } = await signals(file);
    expect(seen).toEqual([0.4, 1.4]);
    for (const [at, time] of seen.entries()) expect(Math.abs(time - heard[at]!)).toBeLessThan(0.02);
  });

  it('looks the same, whether it has one chunk or several', async () => {
    const file = await makeMedia('moving.mp4', [...picture(4), ...h264]);
    const whole = await render(file, { start_frame: 3, end_frame: 97 });
    const cut = await render(file, { start_frame: 3, end_frame: 97, chunk: 50 });
    expect(cut.plan.chunks).toHaveLength(2);
    expect(await likeness(whole.file, cut.file)).toBeGreaterThan(38);
  });

  it('has the same bytes, and its parts have the same identity, each time it is rendered', async () => {
    const wish = { start_frame: 5, end_frame: 40, loudness: 'programme' } as const;
    const [one, other] = [await render(ntsc, wish), await render(ntsc, wish)];
    expect((await readFile(one.file)).equals(await readFile(other.file))).toBe(true);
    expect(chunkIdentity(one.plan, 0)).toBe(chunkIdentity(other.plan, 0));
  });

  it('lasts as long as intro, clip and outro, with silence for parts without sound', async () => {
    const intro = await makeMedia('intro.mp4', [...picture(1.2, '320x240'), ...h264]);
    const outro = await makeMedia('outro.mp4', [...picture(0.8), ...tone(0.8), ...h264, ...aac]);
    const { file, plan } = await render(ntsc, {
      start_frame: 30,
      end_frame: 90,
      intro: branded({ width: 320, height: 240, duration_ms: 1200 }),
      outro: branded({ duration_ms: 800, has_audio: true }),
      files: { intro, outro },
    });
    // At 29.97 frames a second, 1.2 s are 36 frames, and .8 s are 24.
    expect(plan.chunks.map(({ start_frame, end_frame }) => end_frame - start_frame)).toEqual([36, 60, 24]);
    expect(await pictureOf(file)).toMatchObject({ frames: 120, duration: 4.004, width: 160, height: 90 });
    const { seen, heard } = await signals(file);
    expect(seen.filter((time) => time > 1.1 && time < 3)).toEqual(
      [36, 66].map((frame) => expect.closeTo((frame * 1001) / 30_000, 3)),
    );
    expect(heard[0]).toBeCloseTo((36 * 1001) / 30_000, 2);
    // The areas beside the intro, which has another aspect ratio, are black.
    const [first] = await framesOf(file, [10]);
    expect([...first!.rgb.subarray(0, 3)]).toEqual([0, 0, 0]);
  });

  it('is copied packet by packet only if it starts and ends with a group of pictures', async () => {
    const hashes = async (path: string) => {
      const shown = ['-show_entries', 'packet=data_hash', '-show_data_hash', 'sha256', '-of', 'csv=p=0'];
      const { stdout } = await execute('ffprobe', ['-v', 'error', '-select_streams', 'v', ...shown, path]);
      return stdout.trim().split('\n');
    };
    const { file, plan } = await render(ntsc, { start_frame: 30, end_frame: 120 });
    expect(plan.chunks).toEqual([{ part: 'clip', how: 'copy', start_frame: 30, end_frame: 120 }]);
    expect(await hashes(file)).toEqual((await hashes(ntsc)).slice(30, 120));
    expect(await pictureOf(file)).toMatchObject({ frames: 90, duration: 3.003 });
    const { seen, heard } = await signals(file);
    expect(seen).toHaveLength(3);
    for (const [at, time] of seen.entries()) expect(Math.abs(time - heard[at]!)).toBeLessThan(0.02);
    expect((await render(ntsc, { start_frame: 31, end_frame: 40 })).plan.chunks[0]?.how).toBe('encode');
  });

  it('is not copied if groups of pictures depend on each other', async () => {
    const lean = ['-preset', 'veryfast', '-bf', '2', '-g', '25', '-x264-params', 'open-gop=1:scenecut=0'];
    const open = await makeMedia('open.mp4', [...picture(4, '160x90'), ...h264, ...lean]);
    expect((await look(open)).clean_frames).toEqual([0, 100]);
  });

  it('has the loudness of broadcasts on request', async () => {
    const loud = await makeMedia('loud.mp4', [...picture(4, '64x36'), ...tone(4), ...h264, ...aac]);
    const { file } = await render(loud, { start_frame: 1, end_frame: 99, loudness: 'programme' });
    const measuring = ['-nostats', '-i', file, '-af', 'ebur128', '-f', 'null', '-'];
    const { stderr } = await execute('ffmpeg', ['-hide_banner', ...measuring]);
    const [, measured] = /I:\s+(-[\d.]+) LUFS\s+Threshold/.exec(stderr) ?? [];
    expect(Number(measured)).toBeCloseTo(-23, 0);
  });

  it('fails with the reason of the signal if it is canceled, and reports its progress', async () => {
    const long = await makeMedia('long.mp4', [...picture(20, '640x360'), ...h264]);
    const canceling = new AbortController();
    const reached: number[] = [];
    const rendered = opened(long, async (media) => {
      const source = await inspectSource(tools, media, { audio_track: null });
      const plan = planned(source, { output: outputOf(source, { x: 1, y: 1 }) });
      const folder = dirname(long);
      const told = (frames: number) => {
        reached.push(frames);
        canceling.abort(new Error('canceled'));
      };
      return renderChunk(plan, 0, { tools, source: media, folder, signal: canceling.signal, reached: told });
    });
    await expect(rendered).rejects.toThrow('canceled');
    expect(reached.length).toBeGreaterThan(0);
  });
});

import { describe, expect, it } from 'vitest';
import { cropPositions } from '../../../media/rendering/picture-filters.ts';
import { outputOf } from '../../../media/rendering/plan-render.ts';
import { filterValue } from '../../../media/rendering/render-chunk.ts';
import { h264, makeMedia } from '../../fixtures/media.ts';
import { branded, type Frame, framesOf, look, pictureOf, render } from './rendered.ts';

const at = ({ rgb, width }: Frame, x: number, y: number) => [
  ...rgb.subarray((y * width + x) * 3, (y * width + x) * 3 + 3),
];
const near = (colour: readonly number[], by = 12) =>
  colour.map((value) =>
    expect.toSatisfy((found: number) => Math.abs(found - value) <= by, `${value} ± ${by}`),
  );

/** Red, green, blue and white quarters. */
const quarters = (size: string, more: readonly string[] = [], filters = '') => {
  const [w, h] = size.split('x').map(Number) as [number, number];
  const box = (x: number, y: number, colour: string) => `drawbox=${x}:${y}:${w / 2}:${h / 2}:${colour}:fill`;
  const drawn = [box(0, 0, 'red'), box(w / 2, 0, 'lime'), box(0, h / 2, 'blue'), box(w / 2, h / 2, 'white')];
  const source = `color=black:s=${size}:r=25:d=0.4,format=gbrp,${drawn.join()},scale=out_color_matrix=bt709:out_range=tv,format=yuv420p${filters}`;
  return ['-f', 'lavfi', '-i', source, ...h264, '-g', '5', '-colorspace', 'bt709', ...more];
};

describe('the picture of a clip', () => {
  it('is upright, has square pixels, and has the right colors for limited and full range', async () => {
    const lying = await makeMedia('lying.mp4', quarters('160x90'));
    const upright = await makeMedia('upright.mp4', ['-i', lying, '-c', 'copy', '-metadata:s:v', 'rotate=90']);
    const turned = await render(upright, { start_frame: 1, end_frame: 6 });
    expect(await pictureOf(turned.file)).toMatchObject({ width: 90, height: 160, frames: 5 });
    const [first] = await framesOf(turned.file, [2]);
    const [asPlayed] = await framesOf(upright, [3], [90, 160]);
    for (const x of [20, 70])
      for (const y of [20, 140]) expect(at(first!, x, y)).toEqual(near(at(asPlayed!, x, y)));

    const full = ['-vf', 'scale=in_range=tv:out_range=pc', '-pix_fmt', 'yuvj420p', '-color_range', 'pc'];
    const wide = await makeMedia('wide.mp4', [...quarters('160x90', full), '-aspect', '160:45']);
    const shown = await render(wide, { start_frame: 1, end_frame: 6 });
    const square = { width: 320, height: 90, sample_aspect_ratio: '1:1' };
    expect(await pictureOf(shown.file)).toMatchObject({ ...square, color_space: 'bt709', color_range: 'tv' });
    const [other] = await framesOf(shown.file, [2]);
    expect(at(other!, 40, 20)).toEqual(near([255, 0, 0]));
    expect(at(other!, 280, 70)).toEqual(near([255, 255, 255]));
  });

  it('has the average rate of media with irregular frames, and keeps the time of each frame', async () => {
    // Frames come every 40 ms, then every 200 ms. Each is brighter than the previous one.
    const times = "setpts='if(lt(N,10),N*.04,.4+(N-10)*.2)/TB',format=yuv420p";
    const source = `color=black:s=64x36:r=25:d=1,geq=lum='20+N*8':cb=128:cr=128,${times}`;
    const codec = ['-fps_mode', 'vfr', ...h264, '-g', '5'];
    const file = await makeMedia('odd-times.mp4', ['-f', 'lavfi', '-i', source, ...codec]);
    const { frame_rate, frames } = await look(file);
    const { file: clip, plan } = await render(file, { start_frame: 3, end_frame: frames });
    expect(plan.notes).toMatchObject([{ code: 'frame_rate_made_constant' }]);
    const shown = await framesOf(clip, [...Array(frames - 3).keys()], [1, 1]);
    expect((await pictureOf(clip)).frames).toBe(frames - 3);
    for (const [number, { rgb }] of shown.entries()) {
      const time = ((number + 3) * frame_rate.den) / frame_rate.num + frame_rate.den / frame_rate.num / 2;
      const frame = time < 0.4 ? Math.floor(time / 0.04 + 1e-6) : 10 + Math.floor((time - 0.4) / 0.2 + 1e-6);
      const level = ((20 + Math.min(frame, 24) * 8 - 16) * 255) / 219;
      expect(Math.abs(rgb[0]! - level), `frame ${number}`).toBeLessThan(7);
    }
  });

  it('follows its crop path exactly at each frame, and jumps at the start of a shot', async () => {
    // Every column has a different brightness.
    const ramp = `color=black:s=256x144:r=25:d=1,format=yuv420p,geq=lum='16+X*.85':cb=128:cr=128`;
    const file = await makeMedia('ramp.mp4', ['-f', 'lavfi', '-i', ramp, ...h264, '-qp', '4']);
    const points = [
      { at_ms: 0, x: 10, y: 0, jump: true },
      { at_ms: 400, x: 42, y: 0, jump: false },
      { at_ms: 600, x: 150, y: 0, jump: true },
    ];
    const framing = { width: 80, height: 144, points };
    const { file: clip, plan } = await render(file, {
      start_frame: 2,
      end_frame: 22,
      aspect: { x: 5, y: 9 },
      framing,
      chunk: 8,
    });
    expect(plan.output).toMatchObject({ width: 144, height: 260 });
    const expected = cropPositions(framing, 0, 20, plan.output.frame_rate);
    const shown = await framesOf(clip, [...Array(20).keys()]);
    const misses = shown.map((frame, number) => {
      const [level] = at(frame, 72, 130);
      // Brightness is rounded down, and a pixel has the value of its middle.
      const column = ((level! / 255) * 219 + 0.5) / 0.85;
      return Math.abs(column - (expected[number]!.x + (72.5 / 144) * 80 - 0.5));
    });
    expect(Math.max(...misses)).toBeLessThan(3);
    expect(misses.reduce((sum, miss) => sum + miss, 0) / misses.length).toBeLessThan(1);
    expect(expected.slice(9, 16).map(({ x }) => Math.round(x))).toEqual([39, 42, 42, 42, 42, 42, 150]);
  });

  it('is SDR for HDR media, and a note says so', async () => {
    const hdr = [
      ...['-c:v', 'libx265', '-preset', 'ultrafast', '-x265-params', 'log-level=error'],
      ...['-pix_fmt', 'yuv420p10le', '-colorspace', 'bt2020nc', '-color_primaries', 'bt2020'],
      ...['-color_trc', 'smpte2084', '-color_range', 'tv'],
    ];
    const source = ['-f', 'lavfi', '-i', 'color=gray:s=160x90:r=25:d=0.2,format=yuv420p10le'];
    const file = await makeMedia('hdr.mp4', [...source, ...hdr]);
    const points = [
      { at_ms: 0, x: 0, y: 0, jump: true },
      { at_ms: 160, x: 61, y: 0, jump: false },
    ];
    const framing = { width: 50, height: 90, points };
    const { file: clip, plan } = await render(file, { aspect: { x: 5, y: 9 }, framing });
    expect(plan.notes).toMatchObject([{ code: 'tone_mapped' }]);
    expect(await pictureOf(clip)).toMatchObject({ color_space: 'bt709', color_transfer: 'bt709', frames: 5 });
    for (const frame of await framesOf(clip, [0, 1, 2, 3, 4])) {
      const [red, green, blue] = at(frame, 45, 80);
      // Half of PQ's range is about 100 cd/m²: nearly white. Gray stays gray at every position of the crop.
      expect(green).toBeGreaterThan(120);
      expect([red, blue]).toEqual(near([green!, green!], 6));
    }
  });

  it('shows a looping overlay on top, with the colors of the overlay and as large as possible', async () => {
    const grey = ['-f', 'lavfi', '-i', 'color=gray:s=160x90:r=25:d=1'];
    const file = await makeMedia('grey.mp4', [...grey, ...h264, '-g', '10']);
    const square = (colour: string) =>
      `color=${colour}:s=24x24:r=25:d=0.4,format=rgba,pad=160:90:8:8:black@0`;
    const logo = ['-f', 'lavfi', '-i', square('yellow'), '-frames:v', '1'];
    const still = await render(file, {
      ...{ start_frame: 1, end_frame: 11, files: { overlay: await makeMedia('logo.png', logo) } },
      overlay: branded({ media_type: 'image/png', duration_ms: null, frame_rate: null }),
    });
    const [first, last] = await framesOf(still.file, [0, 9]);
    for (const frame of [first!, last!]) {
      expect(at(frame, 20, 20)).toEqual(near([255, 255, 0], 20));
      expect(at(frame, 100, 60)).toEqual(near([128, 128, 128], 4));
    }

    const blink = `${square('blue')},colorchannelmixer=aa=0:enable='gte(n,5)',format=yuva420p`;
    const vp9 = ['-c:v', 'libvpx-vp9', '-deadline', 'realtime'];
    const webm = await makeMedia('blink.webm', ['-f', 'lavfi', '-i', blink, ...vp9]);
    const moving = await render(file, {
      ...{ start_frame: 1, end_frame: 23, chunk: 12, files: { overlay: webm } },
      overlay: branded({ media_type: 'video/webm', duration_ms: 400 }),
    });
    const frames = await framesOf(moving.file, [...Array(22).keys()]);
    const isBlue = frames.map((frame) => at(frame, 20, 20)[2]! > 180);
    expect(isBlue).toEqual(Array.from({ length: 22 }, (_, number) => number % 10 < 5));
    expect(at(frames[0]!, 100, 60)).toEqual(near([128, 128, 128], 4));
  });

  it('keeps the shorter side of the source in pixels, up to UHD', () => {
    const rest = {
      frame_rate: { num: 25, den: 1 },
      colour: { primaries: 'bt709', transfer: 'bt709', matrix: 'bt709', range: 'tv' },
    };
    const size = (width: number, height: number, x: number, y: number) => {
      const output = outputOf({ ...rest, width, height } as Parameters<typeof outputOf>[0], { x, y });
      return [output.width, output.height];
    };
    expect(size(1920, 1080, 9, 16)).toEqual([1080, 1920]);
    expect(size(1920, 1080, 1, 1)).toEqual([1080, 1080]);
    expect(size(1920, 1080, 4, 5)).toEqual([1080, 1350]);
    expect(size(1366, 768, 16, 9)).toEqual([1366, 768]);
    expect(size(7680, 4320, 9, 16)).toEqual([2160, 3840]);
    expect(size(1080, 1920, 10, 1)).toEqual([3840, 384]);
  });

  it('has escaped file paths in its filters', () => {
    expect(filterValue(`/a:b/it's, [x];\\`)).toBe(String.raw`/a\\:b/it\\\'s\, \[x\]\;\\\\`);
  });
});

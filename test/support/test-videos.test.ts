/** Checks that test videos show their declared content, because other measurements depend on it. */
import { dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fixturePath } from '../fixtures/media.ts';
import { greyPictures } from './test-videos/grey.ts';
import type { TestVideoPlan } from './test-videos/plan.ts';
import { makeTestVideo, type TestVideo } from './test-videos.ts';

const folder = dirname(fixturePath('x'));

const plan: TestVideoPlan = {
  ...{ width: 161, height: 91, rate: '30000/1001' },
  scenes: [
    {
      picture: { kind: 'colour', seed: 3 },
      frames: 30,
      subjects: [
        {
          seed: 1,
          size: 0.4,
          x: {
            through: [
              [0, 0.2],
              [29, 0.8],
            ],
          },
          y: { through: [[0, 0.5]] },
        },
      ],
    },
    { picture: { kind: 'mandelbrot', seed: 2 }, frames: 24, flashes: [5] },
    { picture: { kind: 'bars', seed: 1 }, frames: 30, begins: { as: 'fade', through: 'black', frames: 8 } },
    { picture: { kind: 'texture', seed: 4 }, frames: 31, begins: { as: 'dissolve', frames: 10 } },
  ],
};

let seen: { video: TestVideo; luma: number[][] } | undefined;
async function look() {
  if (seen) return seen;
  const video = await makeTestVideo(plan, folder);
  const pictures = await greyPictures(video, 1);
  seen = { video, luma: pictures.map(({ luma }) => [...luma]) };
  return seen;
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
const difference = (one: readonly number[], other: readonly number[]) =>
  mean(one.map((value, at) => Math.abs(value - other[at]!)));

describe('a test video', () => {
  it('has the declared number of frames, and is created once', async () => {
    const { video, luma } = await look();
    expect(luma).toHaveLength(video.frames);
    expect(video.frames).toBe(30 + 24 + 30 + 31 - 10);
    expect(await makeTestVideo(plan, folder)).toEqual(video);
  });

  it('cuts, fades and flashes at the declared frames', async () => {
    const { video, luma } = await look();
    const [, cut, fade, dissolve] = video.shots;
    expect(difference(luma[cut!.start_frame - 1]!, luma[cut!.start_frame]!)).toBeGreaterThan(30);
    expect(mean(luma[fade!.start_frame - 1]!)).toBeLessThan(40);
    expect(mean(luma[fade!.start_frame]!)).toBeLessThan(20);
    expect(mean(luma[video.flashes[0]!]!)).toBeGreaterThan(250);
    const { start_frame, end_frame } = dissolve!.changing;
    expect(difference(luma[start_frame - 2]!, luma[start_frame - 1]!)).toBeLessThan(0.5);
    expect(difference(luma[start_frame + 1]!, luma[start_frame + 2]!)).toBeGreaterThan(0.5);
    expect(difference(luma[end_frame]!, luma[end_frame + 1]!)).toBeLessThan(0.5);
  });

  it('has its subject at the declared position', async () => {
    const { video, luma } = await look();
    for (const frame of [0, 10, 29]) {
      const [place] = video.subjects[frame]!;
      const away = luma[frame]!.flatMap((value, at) => {
        const isBackground = Math.abs(value - luma[frame]![0]!) < 6;
        return isBackground ? [] : [((at % 160) + 0.5) / 160];
      });
      expect(Math.abs(Math.min(...away) - place!.x)).toBeLessThan(0.03);
      expect(Math.abs(Math.max(...away) - place!.x - place!.width)).toBeLessThan(0.03);
    }
  });
});

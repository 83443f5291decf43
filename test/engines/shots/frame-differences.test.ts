import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findBoundaries } from '../../../engines/shots/frame-differences.ts';
import { withOpenMedia } from '../../../media/ffmpeg/serve-ranges.ts';
import { decodePictures, type Frame } from '../../../media/pictures/decode-pictures.ts';
import type { TestVideoPlan } from '../../support/test-videos/plan.ts';
import { editedFilm } from '../../support/test-videos/plans.ts';
import { makeTestVideo, type TestVideo } from '../../support/test-videos.ts';

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'shots-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function framesOf(film: Pick<TestVideo, 'file' | 'width' | 'height'>): Promise<Frame[]> {
  const { file, width, height } = film;
  const bytes = await readFile(file);
  const read = async (first: number, last: number) => bytes.subarray(first, last + 1);
  const looking = { width, height, sample_ms: 10_000, from_ms: 0 };
  const tools = { ffmpeg: 'ffmpeg', ffprobe: 'ffprobe' };
  const frames: Frame[] = [];
  await withOpenMedia({ size: bytes.length, read }, async (media) => {
    for await (const sight of decodePictures(tools, media, looking, { timeout_ms: 60_000 })) {
      if (sight.kind === 'frame') frames.push(sight.frame);
    }
  });
  return frames;
}

async function found(plan: TestVideoPlan) {
  const video = await makeTestVideo(plan, folder);
  const frames = await framesOf(video);
  return { video, frames, found: findBoundaries(frames) };
}

const still = (seed: number) => ({ kind: 'texture', seed }) as const;
const size = { width: 320, height: 180, rate: '25' };

describe('shots', () => {
  it('are found within one frame in edited films, with an F1 of .98 over films of four sizes', async () => {
    let [hits, guesses, truths] = [0, 0, 0];
    for (const seed of [1, 2, 3, 4]) {
      const { video, frames, found: guessed } = await found(editedFilm(seed, 6));
      expect(frames).toHaveLength(video.frames);
      const starts = video.shots.slice(1).map(({ start_frame }) => start_frame);
      hits += starts.filter((start) => guessed.some(({ frame }) => Math.abs(frame - start) <= 1)).length;
      guesses += guessed.length;
      truths += starts.length;
    }
    expect((2 * hits) / (guesses + truths)).toBeGreaterThanOrEqual(0.98);
  });

  it('have the right transition: cut, dissolve or fade', async () => {
    const { found: guessed } = await found({
      ...size,
      scenes: [
        { picture: still(1), frames: 30 },
        { picture: still(2), frames: 40 },
        { picture: { kind: 'bars', seed: 3 }, frames: 50, begins: { as: 'dissolve', frames: 12 } },
        { picture: still(4), frames: 40, begins: { as: 'fade', through: 'black', frames: 10 } },
      ],
    });
    expect(guessed.map(({ transition }) => transition)).toEqual(['cut', 'dissolve', 'fade']);
  });

  it('start only once if a conversion of the frame rate put a mixed frame between two shots', async () => {
    const scenes = [
      { picture: still(1), frames: 30 },
      { picture: { kind: 'bars', seed: 2 } as const, frames: 30 },
    ];
    const { frames } = await found({ ...size, scenes });
    const [before, after] = [frames[29]!, frames[30]!];
    const both = before.planes.map((value, at) => (value + after.planes[at]!) >> 1);
    const blended = frames.map((frame, at) => (at === 29 ? { ...frame, planes: both } : frame));
    const [cut, ...others] = findBoundaries(blended);
    expect([cut!.transition, others]).toEqual(['cut', []]);
    expect(Math.abs(cut!.frame - 30)).toBeLessThanOrEqual(1);
  });

  it('are correct in the demo film, which contains moving signs and changes of light', async () => {
    const film = { file: 'content/demo/kinora-demo.mp4', width: 1280, height: 720 };
    const starts = findBoundaries(await framesOf(film)).map(({ frame, transition }) => [frame, transition]);
    expect(starts).toEqual([114, 370, 657, 953].map((frame) => [frame, 'cut']));
  });

  it('do not start at flashes, camera movements or film grain', async () => {
    const moved = { pan: { x: 0.5, y: 0.2 }, flashes: [30, 50], grain: 20, flicker: 0.05 };
    const scenes = [{ picture: still(5), frames: 75, ...moved }];
    const { frames, found: guessed } = await found({ ...size, scenes });
    expect([29, 30, 31].map((at) => frames[at]!.planes[0]! > 230)).toEqual([false, true, false]);
    expect(guessed).toEqual([]);
  });
});

import { dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import { measureMotion } from '../../../media/framing/subject-motion.ts';
import { fixturePath } from '../../fixtures/media.ts';
import { greyPictures } from '../../support/test-videos/grey.ts';
import type { TestScene, TestVideoPlan } from '../../support/test-videos/plan.ts';
import { makeTestVideo } from '../../support/test-videos.ts';

const start = [0, 0.15] as const;
const walking: TestScene['subjects'] = [
  { seed: 2, size: 0.25, x: { through: [start, [99, 0.85]] }, y: { through: [[0, 0.4]] } },
];
const texture = (seed: number) => ({ kind: 'texture', seed }) as const;

const plan: TestVideoPlan = {
  ...{ width: 320, height: 180, rate: '25' },
  scenes: [
    { picture: texture(1), frames: 100, subjects: walking, grain: 6 },
    { picture: texture(2), frames: 100, subjects: walking, pan: { x: -0.4, y: 0.05 }, grain: 4 },
    { picture: texture(3), frames: 100, grain: 10, flicker: 0.02, flashes: [20, 50, 51] },
    { picture: texture(4), frames: 100, pan: { x: 0.35, y: -0.1 }, grain: 3 },
  ],
};

const video = await makeTestVideo(plan, dirname(fixturePath('x')));
const pictures = await greyPictures(video);
const samples = pictures.slice(1).map((next, at) => measureMotion(pictures[at]!, next));

/** Samples between pictures of one scene, with their distance from the middle of the subject. */
function samplesOf(scene: number) {
  const { start_frame, end_frame } = video.shots[scene]!;
  const inside = samples.filter(
    ({ at_ms }) => at_ms > start_frame * 40 + 100 && at_ms < end_frame * 40 - 100,
  );
  return inside.map((sample) => {
    const [place] = video.subjects[Math.round(sample.at_ms / 40)]!;
    if (!place) return { ...sample, off: 0 };
    const { x, y, width, height } = place;
    return { ...sample, off: Math.hypot(sample.x - x - width / 2, sample.y - y - height / 2) };
  });
}

describe('the center of motion', () => {
  it.each([
    ['the camera is still', 0],
    ['the camera turns the other way', 1],
  ])('is on the moving subject, within a twentieth of the picture, while %s', (_, scene) => {
    const found = samplesOf(scene);
    expect(
      found.filter(({ off, weight }) => off < 0.05 && weight > 0.5).length / found.length,
    ).toBeGreaterThan(0.95);
  });

  it.each([
    ['grain, flicker and flashes', 2],
    ['a still scene with a turning camera', 3],
  ])('does not exist in %s', (_, scene) => {
    const weights = samplesOf(scene).map(({ weight }) => weight);
    expect(Math.max(...weights)).toBeLessThan(0.3);
    expect(weights.reduce((sum, weight) => sum + weight, 0) / weights.length).toBeLessThan(0.04);
  });

  it('does not exist at a cut', () => {
    for (const { start_frame } of video.shots.slice(1)) {
      const over = samples.find(({ at_ms }) => Math.abs(at_ms - start_frame * 40) <= 100);
      expect(over?.weight).toBe(0);
    }
  });
});

import { dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findCenters, type Seen } from '../../../media/framing/autocenter.ts';
import { placeAt } from '../../../media/framing/autocenter-spans.ts';
import { fixturePath } from '../../fixtures/media.ts';
import { cornersOf, framed, scoresOf } from '../../support/framing-scores.ts';
import { movingSubjects, sizes } from '../../support/test-videos/plans.ts';
import { makeTestVideo } from '../../support/test-videos.ts';

const motions = ['linear', 'sine', 'stop and go', 'leaving', 'with the camera turning', 'still'] as const;
const video = await makeTestVideo(movingSubjects(3, motions, sizes[0]), dirname(fixturePath('x')));
const found = await framed(video, { x: 9, y: 16 });
const corners = cornersOf(found.crop, video.frames, video.frame_rate);

describe('the 9:16 frame of a real video with a moving subject', () => {
  /** Returns the video with only these shots. */
  const of = (first: number, end: number) => ({ ...video, shots: video.shots.slice(first, end) });

  it('shows the whole subject in 98 % of the pictures; a centered frame shows it in less than half', () => {
    const middle = corners.map(() => ({ x: (video.width - found.crop.width) / 2, y: 0 }));
    expect(scoresOf(of(0, 5), found.crop, corners).whole).toBeGreaterThanOrEqual(0.98);
    expect(scoresOf(of(0, 5), found.crop, corners).centre).toBeGreaterThanOrEqual(0.99);
    expect(scoresOf(of(0, 5), found.crop, middle).whole).toBeLessThan(0.5);
  });

  it('accelerates by at most .6 picture widths per second squared, and never jumps within a shot', () => {
    // 1.8 pixels a frame, each frame, at 1920 pixels and 25 frames a second.
    const { acceleration, step } = scoresOf(video, found.crop, corners);
    expect(acceleration).toBeLessThan(0.6);
    expect(step).toBeLessThan(0.02 * video.width);
    expect(found.crop.points.filter(({ jump }) => jump).length).toBeLessThanOrEqual(video.shots.length - 1);
  });

  it('does not move if the subject does not move', () => {
    const stopped = found.spans.filter(({ start_ms }) => start_ms === found.shots[5]!.start_ms);
    expect(stopped).toMatchObject([{ source: 'picture', x: 0.5, y: 0.5 }]);
    // The subject rests in the middle of its shot, from 0.3 to 0.7 of its duration.
    const { start_frame, end_frame } = video.shots[2]!;
    const frame = (share: number) => corners[Math.round(start_frame + (end_frame - start_frame) * share)]!;
    expect(Math.abs(frame(0.57).x - frame(0.47).x)).toBeLessThan(0.5);
  });

  it('jumps before the first picture of a shot', () => {
    for (const { at_ms, jump } of found.crop.points) {
      const begins = video.shots.some(({ start_frame }) => Math.abs((start_frame - 0.5) * 40 - at_ms) < 1);
      expect(jump && !begins).toBe(false);
    }
  });
});

describe('a subject that is nearly as wide as the frame', () => {
  /** The width of the subject as a share of the picture's width. A 9:16 frame of 1280 × 720 has .316. */
  const WIDTH = 0.3;
  const leftAt = (at_ms: number) => 0.1 + Math.min(0.5, (at_ms / 1000) * 0.12);
  const moved = (at_ms: number, left: number, right: number) => ({
    ...{ at_ms, x: (left + right) / 2, y: 0.5, weight: 0.9 },
    extent: { left, right, top: 0.4, bottom: 0.6 },
  });
  // A sample shows the old and the new place of the subject. At rest, only the words on the right of the card change.
  const motion = Array.from({ length: 49 }, (_, at) => {
    const at_ms = 100 + at * 200;
    const [was, is] = [leftAt(at_ms - 100), leftAt(at_ms + 100)];
    return is > was ? moved(at_ms, was, is + WIDTH) : moved(at_ms, is + 0.12, is + WIDTH - 0.01);
  });
  const [span, ...others] = findCenters({
    ...{ shots: [{ start_ms: 0, end_ms: 10_000 }], motion, faces: [] },
    ...{ width: 1280, height: 720, duration_ms: 10_000 },
  });

  it('is completely in the frame, even if only a part of it moves', () => {
    expect(others).toEqual([]);
    const offs = Array.from({ length: 96 }, (_, at) => 200 + at * 100).map((at_ms) =>
      Math.abs(placeAt(span!.path, at_ms).x - (leftAt(at_ms) + WIDTH / 2)),
    );
    expect(offs.filter((off) => off <= 0.316 / 2 - WIDTH / 2 + 0.004).length).toBeGreaterThanOrEqual(
      0.98 * offs.length,
    );
  });
});

const face = (x: number, size = 0.1, confidence = 0.9) => ({
  box: { x: x - size / 2, y: 0.3, width: size, height: size * 1.6 },
  confidence,
});

const seen = (given: Partial<Seen>): Seen => ({
  ...{ shots: [{ start_ms: 0, end_ms: 10_000 }], motion: [], faces: [] },
  ...{ width: 1920, height: 1080, duration_ms: 10_000 },
  ...given,
});

const every = (ms: number, end_ms = 10_000) => Array.from({ length: end_ms / ms }, (_, at) => at * ms);

describe('faces', () => {
  it('have priority over motion', () => {
    const faces = every(500).map((at_ms) => ({ at_ms, faces: [face(0.25)] }));
    const motion = every(200).map((at_ms) => ({ at_ms, x: 0.9, y: 0.5, weight: 1 }));
    const [span, ...others] = findCenters(seen({ faces, motion }));
    expect(others).toEqual([]);
    expect(span).toMatchObject({ source: 'face', confidence: 0.9 });
    expect(span!.x).toBeCloseTo(0.25, 1);
    expect(span!.y).toBeGreaterThan(0.38);
  });

  it('are all in the frame if they fit; otherwise the larger and more central ones are', () => {
    const near = every(500).map((at_ms) => ({ at_ms, faces: [face(0.3), face(0.45)] }));
    expect(findCenters(seen({ faces: near }))[0]!.x).toBeCloseTo(0.375, 1);
    const apart = every(500).map((at_ms) => ({ at_ms, faces: [face(0.15, 0.08), face(0.8, 0.2)] }));
    expect(findCenters(seen({ faces: apart }))[0]!.x).toBeCloseTo(0.8, 1);
  });

  it('are followed even if a detection is missed or another person passes', () => {
    const faces = every(500).map((at_ms, at) => ({
      at_ms,
      faces: at === 7 ? [] : at === 12 ? [face(0.25), face(0.7, 0.25)] : [face(0.25)],
    }));
    const [span] = findCenters(seen({ faces }));
    expect(span!.path.every(({ x }) => Math.abs(x - 0.25) < 0.04)).toBe(true);
  });

  it('are replaced by motion if they are missing for long', () => {
    const faces = every(500, 4000).map((at_ms) => ({ at_ms, faces: [face(0.3)] }));
    const motion = every(200).map((at_ms) => ({ at_ms, x: 0.7, y: 0.5, weight: 0.9 }));
    const spans = findCenters(seen({ faces, motion }));
    expect(spans.map(({ source }) => source)).toEqual(['face', 'motion']);
    expect(placeAt(spans[0]!.path, 1000).x).toBeCloseTo(0.3, 1);
    expect(placeAt(spans[1]!.path, 9000).x).toBeCloseTo(0.7, 1);
    expect(spans[0]!.path.at(-1)).toEqual(spans[1]!.path[0]);
  });
});

describe('spans', () => {
  it('cover the media, stay within a shot and have at most a hundred points', () => {
    const cuts = [0, 60_000, 60_120, 180_000];
    const shots = cuts.slice(1).map((end_ms, at) => ({ start_ms: cuts[at]!, end_ms }));
    const x = (at_ms: number) => 0.5 + 0.3 * Math.sin(at_ms / 900);
    const motion = every(200, 180_000).map((at_ms) => ({ at_ms, x: x(at_ms), y: 0.5, weight: 1 }));
    const spans = findCenters(seen({ shots, motion, duration_ms: 180_000 }));
    expect(spans.length).toBeGreaterThan(3);
    expect(spans.map(({ end_ms }) => end_ms).slice(0, -1)).toEqual(
      spans.slice(1).map(({ start_ms }) => start_ms),
    );
    expect([spans[0]!.start_ms, spans.at(-1)!.end_ms]).toEqual([0, 180_000]);
    for (const { start_ms, end_ms, path } of spans) {
      expect(path.length).toBeLessThanOrEqual(100);
      expect(shots.some((shot) => start_ms >= shot.start_ms && end_ms <= shot.end_ms)).toBe(true);
      expect(path.every(({ at_ms }) => at_ms >= start_ms && at_ms <= end_ms)).toBe(true);
    }
  });

  it('are in the middle of the picture if there are no faces and no motion', () => {
    const middle = { start_ms: 0, end_ms: 10_000, x: 0.5, y: 0.5, source: 'picture', confidence: null };
    expect(findCenters(seen({ shots: [] }))).toEqual([{ ...middle, path: [{ at_ms: 0, x: 0.5, y: 0.5 }] }]);
  });
});

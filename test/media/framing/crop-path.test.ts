import { describe, expect, it } from 'vitest';
import { type AutocenterSpan, spansAlong } from '../../../media/framing/autocenter-spans.ts';
import { cropPath, cropSize } from '../../../media/framing/crop-path.ts';
import { cornersOf } from '../../support/framing-scores.ts';

const aspects = [
  { x: 9, y: 16 },
  { x: 1, y: 1 },
  { x: 4, y: 5 },
  { x: 16, y: 9 },
  { x: 239, y: 100 },
  { x: 1, y: 10 },
  { x: 10, y: 1 },
];
const pictures: [number, number][] = [
  [1920, 1080],
  [1080, 1920],
  [321, 179],
  [720, 576],
  [3840, 1634],
  [640, 640],
];

describe('the size of a frame', () => {
  it.each(pictures)(
    'in %i × %i is even, inside the picture, the largest possible, and within 1 % of every aspect ratio',
    (width, height) => {
      for (const { x, y } of aspects) {
        const size = cropSize(width, height, { x, y });
        expect([size.width % 2, size.height % 2]).toEqual([0, 0]);
        expect(size.width <= width && size.height <= height).toBe(true);
        expect(Math.abs((size.width * y) / (size.height * x) - 1)).toBeLessThanOrEqual(0.01);
        const isAsLarge = size.width > width - 40 || size.height > height - 40;
        expect(isAsLarge).toBe(true);
      }
    },
  );

  it('has the nearest possible aspect ratio in a very small picture', () => {
    expect(cropSize(16, 16, { x: 10, y: 1 })).toEqual({ width: 16, height: 2 });
  });
});

const told = { source: 'motion', confidence: 1 } as const;
const line = (places: Readonly<Record<number, number>>): AutocenterSpan[] => {
  const points = Object.entries(places).map(([at_ms, at]) => ({ at_ms: Number(at_ms), x: at, y: at }));
  return spansAlong({ start_ms: points[0]!.at_ms, end_ms: points.at(-1)!.at_ms }, points, told);
};

describe('the path of a frame', () => {
  const picture = { width: 1920, height: 1080, frame_rate: 25, start_ms: 0, end_ms: 8000 };

  it.each(aspects)(
    'with aspect ratio $x:$y never leaves the picture, and slows down before its edge',
    (aspect) => {
      const spans = line({ 0: 0.1, 4000: 1, 8000: 0.9 });
      const path = cropPath({ ...picture, spans, aspect });
      const corners = cornersOf(path, 200, 25);
      for (const { x, y } of corners) {
        expect(x >= 0 && x + path.width <= 1920 && y >= 0 && y + path.height <= 1080).toBe(true);
      }
      const changes = corners
        .slice(2)
        .map(({ x }, at) => Math.abs(x - 2 * corners[at + 1]!.x + corners[at]!.x));
      expect(Math.max(...changes)).toBeLessThan(2.5);
    },
  );

  it('is in the middle without spans', () => {
    const path = cropPath({ ...picture, spans: [], aspect: { x: 9, y: 16 } });
    expect(path).toEqual({ width: 608, height: 1080, points: [{ at_ms: 0, x: 656, y: 0, jump: false }] });
  });

  it('has the same position at a frame for every start of the clip', () => {
    const spans = line({ 0: 0.2, 3000: 0.5, 4000: 0.5, 8000: 0.8 });
    const aspect = { x: 1, y: 1 };
    const whole = cornersOf(cropPath({ ...picture, spans, aspect }), 200, 25);
    const part = cornersOf(cropPath({ ...picture, start_ms: 3200, spans, aspect }), 120, 25);
    for (const [frame, { x }] of part.entries()) expect(Math.abs(x - whole[frame + 80]!.x)).toBeLessThan(0.2);
  });

  it('jumps exactly at the first frame of a shot, even if frames do not last whole milliseconds', () => {
    const frame_rate = 30_000 / 1001;
    for (let frame = 30; frame < 60; frame += 1) {
      const cut = Math.round((frame * 1000) / frame_rate);
      const spans = [...line({ 0: 0.3, [cut]: 0.3 }), ...line({ [cut]: 0.7, 8000: 0.7 })];
      const path = cropPath({ ...picture, frame_rate, spans, aspect: { x: 9, y: 16 } });
      const corners = cornersOf(path, 100, frame_rate);
      expect([corners[frame - 1]!.x, corners[frame]!.x]).toEqual([0.3 * 1920 - 304, 0.7 * 1920 - 304]);
      expect(path.points.map(({ jump }) => jump)).toContain(true);
    }
  });
});

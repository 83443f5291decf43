import { describe, expect, it } from 'vitest';
import {
  type AutocenterSpan,
  middleSpan,
  placeAt,
  spansAlong,
} from '../../../media/framing/autocenter-spans.ts';
import { cropPath } from '../../../media/framing/crop-path.ts';
import { withCentersOfInterest } from '../../../media/framing/override-spans.ts';
import { cornersOf } from '../../support/framing-scores.ts';

const still = (start_ms: number, end_ms: number, x: number): AutocenterSpan[] => {
  const points = [start_ms, end_ms].map((at_ms) => ({ at_ms, x, y: 0.5 }));
  return spansAlong({ start_ms, end_ms }, points, { source: 'motion', confidence: 0.8 });
};
const two = [...still(0, 10_000, 0.3), ...still(10_000, 20_000, 0.6)];
const center = (start_ms: number, end_ms: number, x: number, created = 1) => ({
  ...{ start_ms, end_ms, x, y: 0.5 },
  created_at: `2026-11-22T09:00:0${created}.000Z`,
});
const xAt = (spans: readonly AutocenterSpan[], at_ms: number) =>
  placeAt(spans.find(({ start_ms, end_ms }) => start_ms <= at_ms && at_ms < end_ms)!.path, at_ms).x;

describe('centers of interest', () => {
  it('apply exactly from start to end, with gradual transitions before and after', () => {
    const spans = withCentersOfInterest(two, [center(4000, 6000, 0.8)]);
    expect([4000, 5000, 5999].map((at) => xAt(spans, at))).toEqual([0.8, 0.8, 0.8]);
    expect([0, 1000, 9500].map((at) => xAt(spans, at))).toEqual([0.3, 0.3, 0.3]);
    expect(xAt(spans, 3000)).toBeGreaterThan(0.35);
    expect(xAt(spans, 7000)).toBeGreaterThan(0.35);
    expect(spans.map(({ source }) => source)).toEqual(['motion', 'center_of_interest', 'motion', 'motion']);
    expect(spans.map(({ start_ms }) => start_ms)).toEqual([0, 4000, 6000, 10_000]);
  });

  it('accelerate the frame no faster than autocenter does', () => {
    const spans = withCentersOfInterest(two, [center(4000, 5000, 0.8), center(6000, 8500, 0.2)]);
    const picture = { width: 1920, height: 1080, frame_rate: 25 };
    const crop = cropPath({ spans, ...picture, start_ms: 0, end_ms: 10_000, aspect: { x: 9, y: 16 } });
    const lefts = cornersOf(crop, 250, 25).map(({ x }) => x);
    const changes = lefts.slice(2).map((x, at) => Math.abs(x - 2 * lefts[at + 1]! + lefts[at]!));
    // At the limit of acceleration, half a picture a second in each second, the speed changes by 1.54 pixels a frame in
    // each frame. The transition between the two centers has only one second.
    expect(Math.max(...changes.slice(0, 95))).toBeLessThan(1.7);
    expect(Math.max(...changes)).toBeLessThan(8);
    expect(crop.points.some(({ jump }) => jump)).toBe(false);
  });

  it('start with a jump at or shortly after the start of a shot', () => {
    for (const start of [10_000, 10_300]) {
      const spans = withCentersOfInterest(two, [center(start, 15_000, 0.1)]);
      expect([xAt(spans, 9999), xAt(spans, 10_000)]).toEqual([0.3, 0.1]);
    }
    const atTheEnd = withCentersOfInterest(two, [center(5000, 9800, 0.9)]);
    expect([xAt(atTheEnd, 9999), xAt(atTheEnd, 10_000)]).toEqual([0.9, 0.6]);
  });

  it('apply across shots; if two overlap, the later one applies', () => {
    const spans = withCentersOfInterest(two, [center(8000, 12_000, 0.9, 2), center(2000, 16_000, 0.5, 1)]);
    const found = [4000, 9000, 10_000, 11_999, 15_000].map((at) => xAt(spans, at));
    expect(found).toEqual([0.5, 0.9, 0.9, 0.9, 0.5]);
  });

  it('leave the spans unchanged if there are none, and can cover the whole media', () => {
    expect(withCentersOfInterest(two, [])).toEqual(two);
    const spans = withCentersOfInterest([middleSpan({ start_ms: 0, end_ms: 9000 })], [center(0, 9000, 0.7)]);
    expect(spans).toMatchObject([{ start_ms: 0, end_ms: 9000, x: 0.7, source: 'center_of_interest' }]);
  });
});

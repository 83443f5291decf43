import { describe, expect, it } from 'vitest';
import { Calls } from '../../bench/soak/calls.ts';
import { floors, growthOf, type Point } from '../../bench/soak/trend.ts';
import { ProblemError } from '../../client/index.ts';

const MINUTE_MS = 60_000;
const points = (value: (minute: number) => number, count = 30): Point[] =>
  Array.from({ length: count }, (_, minute) => ({ at: 1e12 + minute * MINUTE_MS, value: value(minute) }));

describe('the growth that a soak test reports', () => {
  it('is the slope of the least-squares line through the second half', () => {
    const rising = { mean: 144, perHalfHour: 60, share: 60 / 144 };
    expect(growthOf(points((minute) => 100 + 2 * minute))).toEqual(rising);
    // By hand: the slope through (0, 1), (1, 3), (2, 2) is a half.
    const byHand = growthOf(points((minute) => [9, 9, 9, 1, 3, 2][minute]!, 6));
    expect(byHand).toMatchObject({ mean: 2, perHalfHour: 15 });
    const level = { mean: 10, perHalfHour: 0, share: 0 };
    expect(growthOf(points((minute) => Math.min(minute, 10)))).toEqual(level);
  });

  it('ignores memory that garbage collection frees', () => {
    const sawtooth = Array.from({ length: 180 }, (_, nth) => ({
      at: 1e12 + nth * 10_000,
      value: 100 + (nth % 6) * 30,
    }));
    expect(floors(sawtooth, MINUTE_MS)).toHaveLength(30);
    expect(growthOf(floors(sawtooth, MINUTE_MS)).share).toBe(0);
    const leaking = sawtooth.map(({ at, value }, nth) => ({ at, value: value + nth / 10 }));
    expect(growthOf(floors(leaking, MINUTE_MS)).share).toBeGreaterThan(0.05);
  });
});

describe('the errors that a soak test counts', () => {
  const problem = (code: string) =>
    new ProblemError(404, { type: '', title: '', status: 404, detail: '', code, request_id: '' });

  it('are calls that succeed or fail for another reason, if a certain error is expected', async () => {
    const calls = new Calls();
    await calls.refused('resource_not_found', () => Promise.reject(problem('resource_not_found')));
    await calls.refused('invalid_state resource_not_found', () => Promise.reject(problem('invalid_state')));
    expect(calls).toMatchObject({ refusedOnPurpose: 2, faultCount: 0 });
    await calls.refused('resource_not_found', () => Promise.reject(problem('invalid_state')));
    await calls.refused('resource_not_found', () => Promise.resolve());
    expect(calls).toMatchObject({ refusedOnPurpose: 2, faultCount: 2 });
  });
});

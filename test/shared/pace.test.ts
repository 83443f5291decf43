import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Pace, paced, remainingAt } from '../../shared/pace.ts';
import { forAny } from '../support/for-any.ts';

/** The estimate after each report of a time and a share, in their order. */
function told(reports: readonly (readonly [at: number, share: number])[]): (number | null)[] {
  let pace: Pace | undefined;
  return reports.map(([at, share]) => {
    pace = paced(pace, at, share);
    return remainingAt(pace, at, share);
  });
}

/** Work at a constant pace that takes `total` ms, with a report every `every` ms from `at` on. */
const even = (total: number, every: number, at = 0) =>
  Array.from(
    { length: Math.floor(total / every) + 1 },
    (_, report) => [at + report * every, (report * every) / total] as const,
  );

describe('the remaining time of a job', () => {
  it('is correct from the first estimate for work at a constant speed', () => {
    const works = fc.record({ total: fc.integer({ min: 10_000, max: 7_200_000 }), every: fc.constant(2500) });
    fc.assert(
      fc.property(works, ({ total, every }) => {
        const reports = even(total, every);
        for (const [index, remaining] of told(reports).entries()) {
          if (remaining !== null) expect(Math.abs(remaining - (total - reports[index]![0]))).toBeLessThan(2);
        }
      }),
      { numRuns: 50 },
    );
  });

  it('is unknown until enough work was observed', () => {
    expect(told(even(60_000, 1000)).slice(0, 5)).toEqual([null, null, null, null, null]);
    expect(told(even(60_000, 1000))[5]).toBe(55_000);
    // Two percent of an hour are 72 s, so that half a minute is enough.
    const hour = told(even(3_600_000, 2500));
    expect(hour.findIndex((remaining) => remaining !== null)).toBe(12);
  });

  it('is unknown while there is no progress', () => {
    const stalled = Array.from({ length: 20 }, (_, report) => [report * 2500, 0.1] as const);
    expect(new Set(told(stalled))).toEqual(new Set([null]));
  });

  it('follows a change of speed within two minutes', () => {
    const slow = even(1_000_000, 2500).slice(0, 101);
    const [at, share] = slow.at(-1)!;
    // From here on the work is five times as fast. Three quarters are left, and each takes 50 s.
    const fast = Array.from({ length: 48 }, (_, report) => {
      const later = 2500 * (report + 1);
      return [at + later, share + later / 200_000] as const;
    });
    expect(told([...slow, ...fast]).at(-1)).toBe(150_000 - 120_000);
  });

  it('is delayed only by the time that passes if one piece takes long', () => {
    const before = even(600_000, 2500).slice(0, 25);
    const [stopped, share] = before.at(-1)!;
    const stalled = Array.from(
      { length: 40 },
      (_, report) => [stopped + 2500 * (report + 1), share] as const,
    );
    const remaining = told([...before, ...stalled]);
    const ends = stalled.map(([at], report) => at + remaining[before.length + report]!);
    expect(ends[0]).toBe(600_000);
    for (const [report, end] of ends.entries()) {
      const [at] = stalled[report]!;
      expect(end - 600_000).toBe(Math.max(0, at - stopped - 15_000));
    }
  });

  it('does not count time without work', () => {
    const before = even(600_000, 2500).slice(0, 41);
    const [, share] = before.at(-1)!;
    const night = 8 * 3_600_000;
    const after = even(600_000, 2500, night)
      .slice(0, 41)
      .map(([at, done]) => [at, share + done] as const);
    const remaining = told([...before, ...after]);
    expect(remaining[41]).toBeNull();
    expect(remaining.at(-1)).toBe(400_000);
  });

  it('is never negative, and 0 after all work is done', () => {
    const steps = fc.array(fc.tuple(fc.nat(30_000), fc.double({ min: 0, max: 0.2, noNaN: true })), {
      minLength: 1,
      maxLength: 40,
    });
    forAny([steps], (given) => {
      let [at, share] = [0, 0];
      const reports = given.map(([ms, more]) => {
        at += ms;
        share = Math.min(1, share + more);
        return [at, share] as const;
      });
      for (const [index, remaining] of told(reports).entries()) {
        if (remaining === null) continue;
        expect(remaining).toBeGreaterThanOrEqual(0);
        if (reports[index]![1] === 1) expect(remaining).toBe(0);
      }
    });
  });
});

import { describe, expect, it } from 'vitest';
import { capacityOf } from '../../lib/jobs/capacity.ts';
import { readDefinitions } from '../../lib/jobs/definitions.ts';
import { narrowed, type Scope, widthOf } from '../../lib/jobs/width.ts';

const machines = readDefinitions().map(({ name, body }) => ({ name, machine: JSON.parse(body) as Scope }));
const capacity = (lambdaConcurrency: number) => capacityOf({ quotas: { lambdaConcurrency } })!;

describe('the concurrency of an account', () => {
  it.each([10, 50, 100, 400, 1000, 10_000])(
    'of %d leaves a fifth to requests when machines are as wide as usual',
    (quota) => {
      const { jobsAtOnce, width } = capacity(quota);
      expect(jobsAtOnce * Math.min(8, width)).toBeLessThanOrEqual(0.8 * quota);
      expect(width * 4).toBeLessThanOrEqual(Math.max(4, 0.8 * quota));
    },
  );

  it('of a new account has four jobs at once of two functions each; that of others a hundred', () => {
    expect(capacity(10)).toEqual({ jobsAtOnce: 4, width: 2 });
    expect(capacity(1000)).toEqual({ jobsAtOnce: 100, width: 32 });
    expect(capacityOf({ quotas: { lambdaConcurrency: Number.POSITIVE_INFINITY } })).toBeNull();
  });
});

describe.each(machines)('the machine $name', ({ machine }) => {
  it('says how many functions it has at once, and no more than the widest', () => {
    expect(widthOf(machine)).toBeLessThanOrEqual(32);
    expect(narrowed(machine, 32)).toEqual(machine);
  });

  it.each([10, 100, 1000])('fits into an account that runs %d', (quota) => {
    const { width } = capacity(quota);
    // What has branches keeps a place for each of them.
    expect(widthOf(narrowed(machine, width))).toBeLessThanOrEqual(Math.max(2, width));
  });
});

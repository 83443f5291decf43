import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createClock } from '../../stepfunctions/clock.ts';
import { Cancelled } from '../../stepfunctions/errors.ts';

const forever = new AbortController().signal;

describe('a clock', () => {
  it('wakes those whose time has come, the earliest first, and none that was cancelled', async () => {
    const waiter = fc.record({ at: fc.integer({ min: 1, max: 50 }), cancelled: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(fc.array(waiter, { minLength: 1, maxLength: 40 }), async (waiters) => {
        let time = 0;
        const clock = createClock(() => time);
        const woken: number[] = [];
        const waits = waiters.map(({ at, cancelled }) => {
          const controller = new AbortController();
          const wait = clock.until(at, controller.signal).then(() => woken.push(at));
          if (cancelled) controller.abort();
          return wait;
        });
        time = 50;
        const results = await Promise.allSettled([...waits, clock.until(50, forever)]);
        const expected = waiters.filter(({ cancelled }) => !cancelled).map(({ at }) => at);
        expect(woken).toEqual(expected.sort((a, b) => a - b));
        for (const [index, { cancelled }] of waiters.entries()) {
          expect(results[index]?.status).toBe(cancelled ? 'rejected' : 'fulfilled');
        }
      }),
      { numRuns: 30 },
    );
  });

  it('notices that the time it reads has jumped', async () => {
    let time = 0;
    const clock = createClock(() => time);
    const tomorrow = clock.until(86_400_000, forever);
    time = 86_400_000;
    await tomorrow;
  });

  it('does not begin to wait for what has been cancelled', async () => {
    await expect(createClock().until(0, AbortSignal.abort())).rejects.toBeInstanceOf(Cancelled);
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createClock } from '../../stepfunctions/clock.ts';
import { Cancelled } from '../../stepfunctions/errors.ts';

const forever = new AbortController().signal;

describe('a clock', () => {
  it('wakes waiters in the order of their times, except canceled ones', async () => {
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

  it('detects that the system time has jumped', async () => {
    let time = 0;
    const clock = createClock(() => time);
    const tomorrow = clock.until(86_400_000, forever);
    time = 86_400_000;
    await tomorrow;
  });

  it('does not wait if the signal is already aborted', async () => {
    await expect(createClock().until(0, AbortSignal.abort())).rejects.toBeInstanceOf(Cancelled);
  });
});

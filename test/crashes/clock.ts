/** One clock for functions and machines. It runs by itself, and skips to the next timer when nothing works. */
import type { Clock } from '../../local/stepfunctions/clock.ts';
import { Cancelled } from '../../local/stepfunctions/errors.ts';

/** The clock skips after this long without activity, ms. */
const IDLE_MS = 8;
/**
 * A later timer is a limit, such as the time-out of an execution, and not a wait. The clock does not skip to it. In ms.
 */
const LONGEST_WAIT_MS = 3 * 3_600_000;

export interface SkippingClock extends Clock {
  skip(ms: number): void;
}

/** @param isBusy whether any function works. The clock then runs at normal speed */
export function skippingClock(isBusy: () => boolean): SkippingClock {
  const alarms = new Set<{ at: number; ring(): void }>();
  let skipped = 0;
  let timer: NodeJS.Timeout | undefined;
  const now = () => Date.now() + skipped;

  const rearm = () => {
    clearTimeout(timer);
    if (alarms.size > 0) timer = setTimeout(look, IDLE_MS).unref();
  };
  const look = () => {
    const next = [...alarms].sort((a, b) => a.at - b.at)[0];
    if (next === undefined) return;
    const wait = next.at - now();
    if (wait <= 0) next.ring();
    else if (!isBusy() && wait <= LONGEST_WAIT_MS) {
      skipped += wait;
      next.ring();
    }
    rearm();
  };

  return {
    now,
    skip(ms) {
      skipped += ms;
      rearm();
    },
    until: (at, signal) =>
      new Promise((resolve, reject) => {
        if (signal.aborted) return reject(new Cancelled());
        const alarm = {
          at,
          ring() {
            alarms.delete(alarm);
            signal.removeEventListener('abort', cancel);
            resolve();
          },
        };
        const cancel = () => {
          alarms.delete(alarm);
          reject(new Cancelled());
        };
        signal.addEventListener('abort', cancel, { once: true });
        alarms.add(alarm);
        rearm();
      }),
  };
}

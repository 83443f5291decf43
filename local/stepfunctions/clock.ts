/** Waits until a point in time, even if the server restarts, the laptop sleeps or a test changes its clock. */
import { Cancelled } from './errors.ts';

export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Resolves once `now()` reaches `at`. Throws Cancelled if the signal aborts first. */
  until(at: number, signal: AbortSignal): Promise<void>;
}

interface Alarm {
  at: number;
  ring(): void;
  cancelled: boolean;
}

/** A clock with one timer for all waiting states. `longestSleep` (ms) limits the delay after a change of the system clock. */
export function createClock(now: () => number = Date.now, longestSleep = 200): Clock {
  let alarms: Alarm[] = [];
  let cancelled = 0;
  let timer: NodeJS.Timeout | undefined;

  const tick = (): void => {
    timer = undefined;
    while (alarms[0] && (alarms[0].cancelled || alarms[0].at <= now())) takeFirst(alarms).ring();
    const first = alarms[0];
    if (first) timer = setTimeout(tick, Math.min(Math.max(first.at - now(), 0), longestSleep));
  };

  // Most time-outs are canceled long before their time, and must not accumulate. The sorted list is a valid heap.
  const dropCancelled = (): void => {
    alarms = alarms.filter((alarm) => !alarm.cancelled).sort((a, b) => a.at - b.at);
    cancelled = 0;
  };

  const until = (at: number, signal: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      if (signal.aborted) return reject(new Cancelled());
      const cancel = (): void => {
        alarm.cancelled = true;
        cancelled += 1;
        if (cancelled * 2 > alarms.length) dropCancelled();
        reject(new Cancelled());
      };
      const ring = (): void => {
        signal.removeEventListener('abort', cancel);
        if (alarm.cancelled) cancelled -= 1;
        else resolve();
      };
      const alarm: Alarm = { at, ring, cancelled: false };
      signal.addEventListener('abort', cancel, { once: true });
      insert(alarms, alarm);
      if (alarms[0] === alarm) {
        clearTimeout(timer);
        tick();
      }
    });

  return { now, until };
}

function insert(heap: Alarm[], alarm: Alarm): void {
  let index = heap.push(alarm) - 1;
  while (index > 0) {
    const parent = (index - 1) >> 1;
    if (heap[parent]!.at <= alarm.at) break;
    heap[index] = heap[parent]!;
    index = parent;
  }
  heap[index] = alarm;
}

function takeFirst(heap: Alarm[]): Alarm {
  const first = heap[0]!;
  const last = heap.pop()!;
  if (heap.length === 0) return first;
  let index = 0;
  for (;;) {
    let child = 2 * index + 1;
    if (child >= heap.length) break;
    if (child + 1 < heap.length && heap[child + 1]!.at < heap[child]!.at) child += 1;
    if (heap[child]!.at >= last.at) break;
    heap[index] = heap[child]!;
    index = child;
  }
  heap[index] = last;
  return first;
}

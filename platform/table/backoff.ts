/** Waits before a write is retried. */
import { setTimeout as sleep } from 'node:timers/promises';

/** Full jitter spreads the retries of clashing writers: AWS Architecture Blog, "Exponential Backoff And Jitter". */
export const backoff = (attempt: number, baseMs = 20): Promise<void> =>
  sleep(Math.random() * baseMs * 2 ** (attempt + 1));

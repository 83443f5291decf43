/** Waiting before a write is tried again. */
import { setTimeout as sleep } from 'node:timers/promises';

/** Full jitter, so that those who clashed part: AWS Architecture Blog, "Exponential Backoff And Jitter". */
export const backoff = (attempt: number, baseMs = 20): Promise<void> =>
  sleep(Math.random() * baseMs * 2 ** (attempt + 1));

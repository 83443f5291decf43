/** Allows only one process to build at a time. Tests and `npm start` may both find the same stale part. */
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { takeLock } from '../../local/lock.ts';

/** Acquires the lock file, runs `work`, and releases the lock. Waits while another process has the lock. */
export async function withLock<T>(file: string, work: () => Promise<T>): Promise<T> {
  mkdirSync(dirname(file), { recursive: true });
  let lock = takeLock(file);
  for (; lock === undefined; lock = takeLock(file)) await sleep(50);
  try {
    return await work();
  } finally {
    lock.release();
  }
}

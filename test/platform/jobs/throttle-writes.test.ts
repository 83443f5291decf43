import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { throttled } from '../../../platform/jobs/throttle-writes.ts';

/** Records the writes. Each write ends when the test ends it. */
function noted() {
  const written: number[] = [];
  const ends: (() => void)[] = [];
  const write = (value: number) => {
    written.push(value);
    return new Promise<void>((resolve) => ends.push(resolve));
  };
  return { written, write, end: () => ends.shift()?.() };
}

describe('a value that changes often and is written at intervals', () => {
  it('is written immediately, and after each pause the newest value is written', async () => {
    const { written, write, end } = noted();
    const telling = throttled(write, 1);
    for (const value of [1, 2, 3]) telling.tell(value);
    expect(written).toEqual([1]);
    end();
    await expect.poll(() => written).toEqual([1, 3]);
  });

  it('has only one write at a time', async () => {
    const { written, write, end } = noted();
    const telling = throttled(write, 0);
    telling.tell(1);
    telling.tell(2);
    await sleep(10);
    expect(written).toEqual([1]);
    end();
    await expect.poll(() => written).toEqual([1, 2]);
  });

  it('is not written after close(), which waits for the current write', async () => {
    const { written, write, end } = noted();
    const telling = throttled(write, 0);
    telling.tell(1);
    telling.tell(2);
    let closed = false;
    const closing = telling.close().then(() => {
      closed = true;
    });
    await sleep(5);
    expect(closed).toBe(false);
    end();
    await closing;
    telling.tell(3);
    await sleep(5);
    expect(written).toEqual([1]);
  });

  it('is written again after a failed write', async () => {
    const written: number[] = [];
    const telling = throttled((value: number) => {
      written.push(value);
      return Promise.reject(new Error('throttled'));
    }, 0);
    telling.tell(1);
    telling.tell(2);
    await expect.poll(() => written).toEqual([1, 2]);
    await telling.close();
  });
});

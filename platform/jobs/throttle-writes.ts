/** Writes the newest of several values at intervals, because each write costs money. */
export interface Throttled<Value> {
  /** Returns at once. The value is written soon, unless a newer one replaces it. */
  tell(value: Value): void;
  /** Stops the writing. Resolves when the current write has ended. */
  close(): Promise<void>;
}

/** Pause between writes, ms, so that callers see progress that is less than five seconds old. */
const REST_MS = 2500;

/**
 * Writes the first value at once, and newer values at intervals.
 * @param write writes a value. If a write fails, only the next value is written
 * @param everyMs pause after a write, ms
 */
export function throttled<Value>(
  write: (value: Value) => Promise<unknown>,
  everyMs = REST_MS,
): Throttled<Value> {
  let newest: { readonly value: Value } | null = null;
  let resting: NodeJS.Timeout | null = null;
  let writing: Promise<unknown> | null = null;
  let closed = false;

  function next(): void {
    resting = null;
    if (newest === null || closed) return;
    const { value } = newest;
    newest = null;
    writing = write(value)
      .catch(() => {})
      .finally(() => {
        writing = null;
        if (!closed) resting = setTimeout(next, everyMs);
      });
  }

  return {
    tell(value) {
      newest = { value };
      if (resting === null && writing === null) next();
    },
    async close() {
      closed = true;
      if (resting !== null) clearTimeout(resting);
      await writing;
    },
  };
}

/** Writes the finished fraction of some work, 0 to 1. `isDone` is true only in the last call. */
export type WriteProgress = (fraction: number, isDone: boolean) => Promise<unknown>;

/**
 * Runs work and writes its progress. At the end, writes that the work is done.
 * @param isDone decides by the result whether the work is done
 */
export async function withProgress<Result>(
  write: WriteProgress,
  work: (tell: (fraction: number) => void) => Promise<Result>,
  isDone: (result: Result) => boolean = () => true,
): Promise<Result> {
  const telling = throttled((fraction: number) => write(fraction, false));
  try {
    const result = await work(telling.tell);
    if (isDone(result)) await write(1, true);
    return result;
  } finally {
    await telling.close();
  }
}

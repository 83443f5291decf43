/** Writes the newest of several values at intervals, because each write costs money and readers look less often. */

export interface Throttled<Value> {
  /** Returns at once. The value is written soon, unless a newer one replaces it. */
  tell(value: Value): void;
  /** Writes nothing more. Resolves when the current write has ended. */
  close(): Promise<void>;
}

/**
 * Writes the first value at once.
 * @param write if it fails, the next value replaces the lost one
 * @param everyMs pause after a write
 */
export function throttled<Value>(
  write: (value: Value) => Promise<unknown>,
  everyMs: number,
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

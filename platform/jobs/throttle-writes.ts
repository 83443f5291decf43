/** Writes the newest of what is told, but not every time: each write costs, and nobody looks that often. */

export interface Throttled<Value> {
  /** Returns at once; the value is written soon, unless a newer one comes before. */
  tell(value: Value): void;
  /** Writes nothing more. Resolves when what is being written is. */
  close(): Promise<void>;
}

/**
 * The first value is written at once.
 * @param write one that fails is made good by the next value
 * @param everyMs how long it rests after a write
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

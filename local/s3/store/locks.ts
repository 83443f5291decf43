/** Runs the tasks for the same key one after the other. */
export class Locks {
  readonly #tails = new Map<string, Promise<unknown>>();

  /** Runs `task` when all earlier tasks for the key have ended, whether they succeeded or failed. */
  async run<T>(key: string, task: () => Promise<T>): Promise<T> {
    const turn = (this.#tails.get(key) ?? Promise.resolve()).then(task);
    const tail = turn.catch(() => {});
    this.#tails.set(key, tail);
    try {
      return await turn;
    } finally {
      if (this.#tails.get(key) === tail) this.#tails.delete(key);
    }
  }
}

/** Returns the result of work that reports its progress. */
export function outcomeOf<T>(work: Generator<unknown, T>): T {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
}

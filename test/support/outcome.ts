/** What work that tells how far it is comes to in the end. */
export function outcomeOf<T>(work: Generator<unknown, T>): T {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
}

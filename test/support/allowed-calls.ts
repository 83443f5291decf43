/** Runs handlers in the test's own process as the function that they belong to. */
import { AsyncLocalStorage } from 'node:async_hooks';

const functions = new AsyncLocalStorage<string>();

/** @param id logical id of the function that does the work */
export const asFunction = <Result>(id: string, work: () => Promise<Result>): Promise<Result> =>
  functions.run(id, work);

/** Runs what a test does itself while a function works. */
export const asTest = <Result>(work: () => Result): Result => functions.exit(work);

/** Runs one of several analyses of a step, so that its failure does not fail the others. */
import { setTimeout as delay } from 'node:timers/promises';
import { jobFailure } from '../../../platform/jobs/job-failure.ts';
import { describeError, log } from '../../../platform/runtime/log.ts';
import type { JobFailure } from '../../../shared/assets.ts';
import { JobError } from '../../../shared/job-errors.ts';

export interface Attempts {
  readonly signal: AbortSignal;
  /** Wait before each retry, ms. */
  readonly again_ms?: readonly number[];
}

/** Waits before the retries, ms. There are few, because clients of services have already retried for a minute. */
const AGAIN_MS = [1000, 5000];

/** The result of the work, or its failure after all retries. Throws only the reason of the signal. */
export async function tryAnalysis<Result>(
  work: () => Promise<Result>,
  { signal, again_ms = AGAIN_MS }: Attempts,
): Promise<{ readonly result: Result } | { readonly failure: JobFailure }> {
  for (let attempt = 0; ; attempt += 1) {
    signal.throwIfAborted();
    try {
      return { result: await work() };
    } catch (error) {
      signal.throwIfAborted();
      const isFinal = error instanceof JobError && !error.retryable;
      const wait = again_ms[attempt];
      if (isFinal || wait === undefined) return { failure: failureOf(error) };
      await delay(wait, undefined, { signal }).catch(() => signal.throwIfAborted());
    }
  }
}

function failureOf(error: unknown): JobFailure {
  if (error instanceof JobError) return jobFailure(error.code, error.detail);
  log('error', 'an analysis failed', describeError(error));
  return jobFailure();
}

/** Work of one analysis among several of a step: what goes wrong with it is told of it alone, and leaves the others. */
import { setTimeout as delay } from 'node:timers/promises';
import { jobFailure } from '../../../platform/jobs/job-failure.ts';
import { describeError, log } from '../../../platform/kernel/log.ts';
import type { JobFailure } from '../../../shared/assets.ts';
import { JobError } from '../../../shared/job-errors.ts';

export interface Attempts {
  readonly signal: AbortSignal;
  /** How long is waited before each further attempt, ms. */
  readonly again_ms?: readonly number[];
}

/** Clients of services have tried for a minute by then: what passes later is worth little more. */
const AGAIN_MS = [1000, 5000];

/** What comes of the work, or why nothing does. Work may be done again as a whole. Throws the signal's reason alone. */
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

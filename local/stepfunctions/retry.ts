/** Finds the Retrier or Catcher that handles an error, and computes the wait before a retry. */
import type { Failure } from './errors.ts';
import type { Catcher, Retrier } from './language.ts';

/** The defaults of the specification's section "Retrying after error". The maximum delay is the limit of the service. */
const retrierDefaults = {
  IntervalSeconds: 1,
  BackoffRate: 2,
  MaxAttempts: 3,
  MaxDelaySeconds: 31_622_400,
};

/**
 * Errors that no wildcard matches. The developer guide, "Handling errors in Step Functions workflows": States.ALL
 * "can't catch the States.DataLimitExceeded terminal error or Runtime error types".
 */
const notTakenByWildcards = ['States.DataLimitExceeded', 'States.Runtime'];

/** Whether an ErrorEquals list matches this failure. */
export function matches(errorEquals: string[], failure: Failure): boolean {
  // The same page: a States.Runtime error "isn't retriable, and will always cause the execution to fail".
  if (failure.error === 'States.Runtime') return false;
  return errorEquals.some((name) => matchesName(name, failure));
}

function matchesName(name: string, failure: Failure): boolean {
  const takenByWildcards = !notTakenByWildcards.includes(failure.error ?? '');
  if (name === failure.error) return true;
  if (name === 'States.ALL') return takenByWildcards;
  // The same page: States.TaskFailed "acts as a wildcard that matches any known error name except for States.Timeout".
  if (name === 'States.TaskFailed') return takenByWildcards && failure.error !== 'States.Timeout';
  return name === 'States.HeartbeatTimeout' && failure.heartbeat === true;
}

/**
 * Returns the next retry for a failure.
 * @param spent the number of times that each Retrier was used during this visit of the state
 * @param random a number in [0, 1) for JitterStrategy FULL
 * @returns the index of the Retrier, and the wait in milliseconds; undefined if no retry is left
 */
export function nextRetry(
  retriers: Retrier[],
  spent: number[],
  failure: Failure,
  random: () => number,
): { retrier: number; delay: number } | undefined {
  const index = retriers.findIndex((retrier) => matches(retrier.ErrorEquals, failure));
  const retrier = retriers[index];
  if (!retrier) return undefined;
  const rule = { ...retrierDefaults, ...retrier };
  const used = spent[index] ?? 0;
  if (used >= rule.MaxAttempts) return undefined;
  const interval = Math.min(rule.IntervalSeconds * rule.BackoffRate ** used, rule.MaxDelaySeconds);
  const share = rule.JitterStrategy === 'FULL' ? random() : 1;
  return { retrier: index, delay: Math.round(interval * share * 1000) };
}

export function catcherFor(catchers: Catcher[], failure: Failure): Catcher | undefined {
  return catchers.find((catcher) => matches(catcher.ErrorEquals, failure));
}

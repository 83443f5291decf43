/**
 * The retries of all Tasks. Any error may be temporary (a transaction conflict, a reset connection, a throttled service), so all
 * errors are retried except those listed here.
 *
 * Step Functions searches a Retry in order, and counts each entry separately. States.ALL must be alone in the last entry. It does
 * not match States.DataLimitExceeded and States.Runtime, which end the execution.
 * https://docs.aws.amazon.com/step-functions/latest/dg/concepts-error-handling.html
 */
import { type JobErrorCode, jobErrors, type StepFailure } from '../../contract/kit/errors.ts';

const codes = Object.entries(jobErrors);

/** Errors that every attempt would repeat. They have no retry. */
export const permanent: readonly string[] = [
  ...codes.filter(([, { retryable }]) => !retryable).map(([code]) => code),
  'provider_given_up' satisfies StepFailure,
  // Thrown if the job was canceled, or if its asset was deleted or taken over: platform/kernel/step.ts.
  'canceled',
  'resource_not_found',
  'invalid_state',
  // The same expression would fail on the same data.
  'States.QueryEvaluationError',
];

/**
 * The step ran out of time, or its process ended, mostly for lack of memory. Most such steps would fail again, and each attempt of
 * a media step may take 15 minutes. So there is only one retry, which helps if the step hung.
 */
export const lost: readonly string[] = [
  'timed_out',
  'States.Timeout',
  'States.HeartbeatTimeout',
  'Sandbox.Timedout',
  'Lambda.Unknown',
  'Runtime.ExitError',
  'Runtime.OutOfMemory',
];

/**
 * The concurrency of the account is used up, and the function did not run. New accounts have a concurrency of ten, and a media step
 * may use one of them for 15 minutes. https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html
 */
export const throttled: readonly string[] = ['Lambda.TooManyRequestsException'];

/** Lambda did not accept the invocation, so nothing ran. */
export const refused: readonly string[] = [
  'Lambda.ServiceException',
  'Lambda.AWSLambdaException',
  'Lambda.SdkClientException',
];

/**
 * The provider throttles requests, because all jobs of an account share its quotas. The engine has already retried for a minute or two,
 * so the first wait is longer than after other errors. A retry does not repeat work that the step has stored.
 */
export const busy: readonly string[] = ['provider_throttled'] satisfies StepFailure[];

/** The provider cannot be reached, does not answer or fails. The job fails after a few minutes, and the caller may start it again. */
export const broken: readonly string[] = ['provider_unavailable'] satisfies JobErrorCode[];

/** The waits before retries are random: from zero to 2, 4, 8 … seconds. So jobs that failed together do not retry together. */
const backoff = { IntervalSeconds: 2, BackoffRate: 2, JitterStrategy: 'FULL' };

/** One entry of a Retry (Step Functions Developer Guide, "Retrying after an error"). */
export interface Retrier {
  readonly ErrorEquals: readonly string[];
  readonly MaxAttempts: number;
  readonly IntervalSeconds?: number;
  readonly BackoffRate?: number;
  readonly MaxDelaySeconds?: number;
  readonly JitterStrategy?: string;
}

export const retriers: readonly Retrier[] = [
  { ErrorEquals: permanent, MaxAttempts: 0 },
  { ErrorEquals: lost, ...backoff, MaxAttempts: 1 },
  // The waits add up to a day on average, the maximum duration of an ingest. So jobs that compete become slower instead of failing.
  // With 150 s per wait, the retries fit into the history of an execution.
  { ErrorEquals: throttled, ...backoff, MaxAttempts: 600, MaxDelaySeconds: 300 },
  // The waits add up to 15 minutes on average.
  { ErrorEquals: refused, ...backoff, MaxAttempts: 12, MaxDelaySeconds: 300 },
  // The waits add up to 105 minutes on average. The retries inside the engine take about as long.
  { ErrorEquals: busy, ...backoff, IntervalSeconds: 10, MaxAttempts: 48, MaxDelaySeconds: 300 },
  // The waits add up to four minutes on average, and to eight at most.
  { ErrorEquals: broken, ...backoff, IntervalSeconds: 15, MaxAttempts: 5, MaxDelaySeconds: 240 },
  { ErrorEquals: ['States.ALL'], ...backoff, MaxAttempts: 4, MaxDelaySeconds: 60 },
];

/**
 * What the state machines try again. Anything may be the fault of a moment (a transaction that met another, a reset
 * connection, a throttled service), so what is named are the exceptions.
 *
 * A Retry is searched in order, each entry counts for itself, and States.ALL must stand alone in the last one. It
 * takes neither States.DataLimitExceeded nor States.Runtime, which end the execution.
 * https://docs.aws.amazon.com/step-functions/latest/dg/concepts-error-handling.html
 */
import { type JobErrorCode, jobErrors, type StepFailure } from '../../contract/kit/errors.ts';

const codes = Object.entries(jobErrors);

/** What comes again with every attempt: it is not tried again. */
export const permanent: readonly string[] = [
  ...codes.filter(([, { retryable }]) => !retryable).map(([code]) => code),
  'provider_given_up' satisfies StepFailure,
  // Thrown where the thing that is worked on was deleted or taken over, or is not there: platform/kernel/step.ts.
  'canceled',
  'resource_not_found',
  'invalid_state',
  // The same expression over the same data.
  'States.QueryEvaluationError',
];

/**
 * The step ran for as long as it may, or its process was ended, mostly for want of memory: most likely it comes
 * again, and each attempt of a media step may take a quarter of an hour. Once is for what hung.
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
 * All that the account may run at once runs: nothing is wrong, and nothing was run. New accounts may have room for ten, and
 * a place may be free no sooner than a media step ends.
 * https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html
 */
export const throttled: readonly string[] = ['Lambda.TooManyRequestsException'];

/** Lambda did not take the invocation: nothing ran. */
export const refused: readonly string[] = [
  'Lambda.ServiceException',
  'Lambda.AWSLambdaException',
  'Lambda.SdkClientException',
];

/**
 * A provider is well and has too much to do: quotas of an account are shared by all its jobs. Engines have asked again for a
 * minute or two by then, so the first wait is longer; what a step keeps of its work is not done again.
 */
export const busy: readonly string[] = ['provider_throttled'] satisfies StepFailure[];

/** A provider cannot be reached, does not answer, or fails by itself: who waits for it is told soon, and may ask again. */
export const broken: readonly string[] = ['provider_unavailable'] satisfies JobErrorCode[];

/** Waits are drawn between zero and 2, 4, 8 … seconds, so that what failed together does not come back together. */
const backoff = { IntervalSeconds: 2, BackoffRate: 2, JitterStrategy: 'FULL' };

/** Developer Guide, "Retrying after an error". */
export interface Retrier {
  readonly ErrorEquals: readonly string[];
  readonly MaxAttempts: number;
  /** Seconds before the first repetition. */
  readonly IntervalSeconds?: number;
  readonly BackoffRate?: number;
  readonly MaxDelaySeconds?: number;
  readonly JitterStrategy?: string;
}

export const retriers: readonly Retrier[] = [
  { ErrorEquals: permanent, MaxAttempts: 0 },
  { ErrorEquals: lost, ...backoff, MaxAttempts: 1 },
  // All waits together are a day on average, which is how long an ingest may take: jobs that meet become slower, and do not
  // fail. At two and a half minutes each, the history of an execution has room for them.
  { ErrorEquals: throttled, ...backoff, MaxAttempts: 600, MaxDelaySeconds: 300 },
  // All waits together are a quarter of an hour on average.
  { ErrorEquals: refused, ...backoff, MaxAttempts: 12, MaxDelaySeconds: 300 },
  // All waits together are an hour and three quarters on average; an engine that is throttled asks for as long again itself.
  { ErrorEquals: busy, ...backoff, IntervalSeconds: 10, MaxAttempts: 48, MaxDelaySeconds: 300 },
  // All waits together are four minutes on average, and eight at most.
  { ErrorEquals: broken, ...backoff, IntervalSeconds: 15, MaxAttempts: 5, MaxDelaySeconds: 240 },
  { ErrorEquals: ['States.ALL'], ...backoff, MaxAttempts: 4, MaxDelaySeconds: 60 },
];

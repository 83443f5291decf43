/** The error of a failed job that callers see. It has a code of the contract, and hides all internal details. */
import { type JobErrorCode, jobErrors, type StepFailure, stepFailures } from '../../contract/kit/errors.ts';
import type { JobFailure } from '../../shared/assets.ts';
import { defined } from '../../shared/checked-access.ts';
import { isTerminal, type JobItem, type JobResult, type JobType } from '../../shared/jobs.ts';
import { parseJson, recordOf } from '../../shared/parse.ts';
import type { JobEnd } from './job-records.ts';

/** `$states.errorOutput` of a state that failed. */
export interface StateError {
  readonly Error?: string;
  readonly Cause?: string;
}

export interface FailedInput {
  readonly failure: StateError;
}

export const failureOfState = ({ Error: error, Cause }: StateError): JobFailure => jobFailure(error, Cause);

/** The items of a job that failed as a whole. Items that ended before keep their results. */
export const failedItems = <Item extends JobItem<JobType>>(items: readonly Item[], error: JobFailure) =>
  items.map((item) => (isTerminal(item.status) ? item : { ...item, status: 'failed' as const, error }));

/** The end of a job whose items have all ended. The job fails only if every item failed. */
export function endOfItems<Type extends JobType>(
  items: readonly JobItem<Type>[],
  result: JobResult<Type>,
): JobEnd<Type> {
  const [error] = items.flatMap((item) => item.error ?? []);
  const isFailed = error !== undefined && items.every(({ status }) => status === 'failed');
  return isFailed ? { status: 'failed', error, items } : ({ result, items } as JobEnd<Type>);
}

/**
 * @param error name of the error, as a state machine reports it
 * @param cause its cause: for a Lambda, the JSON `{errorType, errorMessage}`; for a time-out, none
 */
export function jobFailure(error = '', cause = ''): JobFailure {
  const code = Object.hasOwn(stepFailures, error) ? stepFailures[error as StepFailure] : error;
  if (isOurs(code)) return failureOf(code, detailOf(code, messageOf(cause)));
  const ending = Object.hasOwn(endings, error) ? defined(endings[error]) : unexpected;
  return failureOf(ending.code, ending.detail);
}

interface Ending {
  readonly code: JobErrorCode;
  /** Default: the advice that `jobErrors` has for the code. */
  readonly detail?: string;
}

const unexpected: Ending = { code: 'internal_error' };

const outOfTime: Ending = {
  code: 'timed_out',
  detail: 'A step took longer than it may. Create the job again; use a shorter asset if it stays.',
};

const outOfRoom =
  'A step was ended before it was done: the machine that it ran on was lost, or the media needs too much memory. ' +
  'Create the job again; use a shorter asset, or one with fewer pixels, if it stays.';

/**
 * Failures of steps that ended before they could report a reason. `Lambda.Unknown` stands for both "out-of-memory
 * errors and function timeouts"; newer runtimes have separate names. Step Functions Developer Guide, "Handling errors",
 * and "Handle transient Lambda service exceptions".
 */
const endings: Readonly<Record<string, Ending>> = {
  'States.Timeout': outOfTime,
  'States.HeartbeatTimeout': outOfTime,
  'Sandbox.Timedout': outOfTime,
  'Lambda.Unknown': { code: 'timed_out', detail: outOfRoom },
  'Runtime.ExitError': { code: 'internal_error', detail: outOfRoom },
  'Runtime.OutOfMemory': { code: 'internal_error', detail: outOfRoom },
};

/** The detail of an error. A provider's message contains no advice for the caller, so the advice for the code is added. */
const detailOf = (code: JobErrorCode, said: string): string =>
  code === 'provider_unavailable' && said !== '' ? `${said} ${jobErrors[code].cure}` : said;

const isOurs = (error: string): error is JobErrorCode => Object.hasOwn(jobErrors, error);

function failureOf(code: JobErrorCode, detail: string | undefined): JobFailure {
  const { title, cure, retryable } = jobErrors[code];
  return { code, title, detail: detail || cure, retryable };
}

const lambdaCause = recordOf((value) => value);

function messageOf(cause: string): string {
  try {
    const { errorMessage } = parseJson(lambdaCause, cause);
    return typeof errorMessage === 'string' ? errorMessage : '';
  } catch {
    return cause;
  }
}

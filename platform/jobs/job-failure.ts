/** What callers are told of a failed state: its code where it is ours, and nothing of the inside otherwise. */
import { type JobErrorCode, jobErrors } from '../../contract/kit/errors.ts';
import type { JobFailure } from '../shared/assets.ts';

/**
 * @param error name of the error, as a state machine reports it
 * @param cause its cause: for a Lambda, the JSON `{errorType, errorMessage}`
 */
export function jobFailure(error: string, cause: string): JobFailure {
  const code = codeOf(error);
  const { title, cure, retryable } = jobErrors[code];
  const isOurs = error === code;
  return { code, title, detail: (isOurs && messageOf(cause)) || cure, retryable };
}

function codeOf(error: string): JobErrorCode {
  if (Object.hasOwn(jobErrors, error)) return error as JobErrorCode;
  return error === 'States.Timeout' || error === 'Sandbox.Timedout' ? 'timed_out' : 'internal_error';
}

function messageOf(cause: string): string {
  try {
    const { errorMessage } = JSON.parse(cause) as { errorMessage?: unknown };
    return typeof errorMessage === 'string' ? errorMessage : '';
  } catch {
    return cause;
  }
}

/** Errors that end a job or one of its items, with a detail that helps whoever started it. */
import { type JobErrorCode, jobErrors, type StepFailure, stepFailures } from '../contract/kit/errors.ts';

/**
 * Its `name` is the code, or one that stands for it (`stepFailures`), because a state machine's Retry and Catch match the
 * `name` of what a Lambda throws.
 * `detail` is shown to the caller: a sentence that says what was found and what to do, without internals.
 */
export class JobError extends Error {
  readonly code: JobErrorCode;
  readonly detail: string;
  readonly retryable: boolean;

  constructor(
    code: JobErrorCode,
    detail: string,
    {
      name = code,
      ...options
    }: { readonly cause?: unknown; readonly name?: JobErrorCode | StepFailure } = {},
  ) {
    super(detail, options);
    this.name = name;
    this.code = code;
    this.detail = detail;
    this.retryable = jobErrors[code].retryable;
  }
}

const kind =
  (code: JobErrorCode) =>
  (detail: string, cause?: unknown): JobError =>
    new JobError(code, detail, { cause });

const named =
  (name: StepFailure) =>
  (detail: string, cause?: unknown): JobError =>
    new JobError(stepFailures[name], detail, { cause, name });

export const mediaUnreadable = kind('media_unreadable');
export const mediaLimitExceeded = kind('media_limit_exceeded');
export const audioTrackMissing = kind('audio_track_missing');
export const languageUnsupported = kind('language_unsupported');
export const languageUncertain = kind('language_uncertain');
export const engineUnavailable = kind('engine_unavailable');
export const storageAccessDenied = kind('storage_access_denied');
export const storageNotFound = kind('storage_not_found');
export const storageObjectExists = kind('storage_object_exists');
export const platformAuthExpired = kind('platform_auth_expired');
export const platformRejected = kind('platform_rejected');
/** The provider is broken, or cannot be reached: steps are tried again for some minutes. */
export const providerUnavailable = kind('provider_unavailable');
/** The provider is well, and has too much to do: steps are tried again for an hour and more. */
export const providerThrottled = named('provider_throttled');
/** The provider has failed at all that could be tried: the job fails at once. */
export const providerGivenUp = named('provider_given_up');
export const quotaExceeded = kind('quota_exceeded');
export const timedOut = kind('timed_out');
export const internalError = kind('internal_error');

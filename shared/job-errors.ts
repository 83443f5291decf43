/** Errors that end a job or one of its items. The detail tells the caller what to do. */
import { type JobErrorCode, jobErrors, type StepFailure, stepFailures } from '../contract/kit/errors.ts';

/** State machines match `name`, which is the code or more exact than the code. Callers see `code` and `detail`. */
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
export const engineUnavailable = kind('engine_unavailable');
export const storageAccessDenied = kind('storage_access_denied');
export const storageNotFound = kind('storage_not_found');
export const storageObjectExists = kind('storage_object_exists');
/** The provider is broken or cannot be reached. Steps retry for some minutes. */
export const providerUnavailable = kind('provider_unavailable');
/** The provider works, but is overloaded. Steps retry for more than an hour. */
export const providerThrottled = named('provider_throttled');
/** The provider failed at all attempts. The job fails at once. */
export const providerGivenUp = named('provider_given_up');
export const quotaExceeded = kind('quota_exceeded');
export const timedOut = kind('timed_out');
export const internalError = kind('internal_error');

/** Errors that end a job or one of its items, with a detail that helps whoever started it. */
import { type JobErrorCode, jobErrors } from '../../contract/kit/errors.ts';

/**
 * Its `name` is the code, because a state machine's Retry and Catch match the `name` of what a Lambda throws.
 * `detail` is shown to the caller: a sentence that says what was found and what to do, without internals.
 */
export class JobError extends Error {
  readonly code: JobErrorCode;
  readonly detail: string;
  readonly retryable: boolean;

  constructor(code: JobErrorCode, detail: string, options: { cause?: unknown } = {}) {
    super(detail, options);
    this.name = code;
    this.code = code;
    this.detail = detail;
    this.retryable = jobErrors[code].retryable;
  }
}

const kind =
  (code: JobErrorCode) =>
  (detail: string, cause?: unknown): JobError =>
    new JobError(code, detail, { cause });

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
export const providerUnavailable = kind('provider_unavailable');
export const quotaExceeded = kind('quota_exceeded');
export const timedOut = kind('timed_out');
export const internalError = kind('internal_error');

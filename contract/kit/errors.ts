/**
 * The one registry of error codes. The problem+json bodies, the OpenAPI responses and the site's
 * `/problems` page are made from it.
 */

export interface ProblemKind {
  readonly status: number;
  readonly title: string;
  /** What the caller does about it; shown on `/problems`. */
  readonly cure: string;
}

export interface JobErrorKind {
  readonly title: string;
  readonly cure: string;
  /** Whether creating the same job again can succeed without a change by the caller. */
  readonly retryable: boolean;
}

const problem = (status: number, title: string, cure: string): ProblemKind => ({ status, title, cure });
const job = (retryable: boolean, title: string, cure: string): JobErrorKind => ({ title, cure, retryable });

/** Problems of the product API (RFC 9457), by code. */
export const problems = {
  malformed_json: problem(400, 'Malformed JSON', 'Send one JSON document, UTF-8, without duplicate members.'),
  invalid_parameter: problem(
    400,
    'Invalid parameter',
    'Correct the path or query parameter that `errors` names.',
  ),
  invalid_cursor: problem(
    400,
    'Invalid cursor',
    'Start again without `cursor`; use a `next_cursor` unchanged, with the same filters.',
  ),
  missing_credentials: problem(401, 'Missing credentials', 'Send `Authorization: Bearer <API_KEY>`.'),
  invalid_api_key: problem(
    401,
    'Invalid API key',
    'Check that the key is complete and belongs to this environment; it may have been revoked.',
  ),
  expired_api_key: problem(401, 'Expired API key', 'Rotate the key and use the new one.'),
  insufficient_scope: problem(
    403,
    'Insufficient scope',
    'Use a key that carries the scope that `detail` names.',
  ),
  tenant_suspended: problem(403, 'Tenant suspended', 'Contact the operator of this environment.'),
  quota_exceeded: problem(
    403,
    'Quota exceeded',
    'Wait for the next month or ask the operator for a larger quota.',
  ),
  resource_not_found: problem(
    404,
    'Resource not found',
    'Check the id. Resources of other tenants answer the same.',
  ),
  route_not_found: problem(404, 'Route not found', 'See `/openapi.json` for the paths of this API.'),
  method_not_allowed: problem(405, 'Method not allowed', 'Use one of the methods in the `Allow` header.'),
  answer_too_large: problem(
    406,
    'Answer too large',
    'Send `Accept-Encoding: gzip`; if it is still too large, ask for fewer `items` at once.',
  ),
  external_id_conflict: problem(
    409,
    'External id already used',
    'Use another `external_id`, or read the asset that has it: `GET /v1/external/assets/{external_id}`.',
  ),
  invalid_state: problem(
    409,
    'Invalid state',
    'Bring the resource into the state that `detail` names, or wait until it is.',
  ),
  idempotency_in_progress: problem(
    409,
    'Request in progress',
    'The first request with this Idempotency-Key has not finished. Repeat after `Retry-After`.',
  ),
  write_conflict: problem(409, 'Write conflict', 'Others changed the resource at the same time. Repeat.'),
  precondition_failed: problem(
    412,
    'Precondition failed',
    'Read the resource again and send its new ETag in `If-Match`.',
  ),
  payload_too_large: problem(413, 'Payload too large', 'Send less at once; `detail` names the limit.'),
  unsupported_media_type: problem(415, 'Unsupported media type', 'Send `Content-Type: application/json`.'),
  validation_failed: problem(422, 'Validation failed', 'Correct the members that `errors` names.'),
  unknown_reference: problem(
    422,
    'Unknown reference',
    'The id that `errors` names refers to nothing in this tenant. Create it first.',
  ),
  language_unsupported: problem(
    422,
    'The language is not supported',
    'Choose a language whose `features` in `GET /v1/languages` include this one, or do what `detail` names to have more.',
  ),
  idempotency_key_reused: problem(
    422,
    'Idempotency-Key reused',
    'A different request used this key in the last 24 hours. Choose a new key.',
  ),
  upload_parts_mismatch: problem(
    422,
    'Upload parts mismatch',
    'Send the ETag of every uploaded part, in part order. Nothing was lost: repeat the missing parts.',
  ),
  rate_limited: problem(429, 'Rate limited', 'Repeat after `Retry-After` seconds.'),
  internal_error: problem(
    500,
    'Internal error',
    'Repeat with the same Idempotency-Key; report `request_id` if it stays.',
  ),
  not_implemented: problem(
    501,
    'Not implemented',
    'The request is sound, but the engine that would serve it is not part of this release yet.',
  ),
  temporarily_unavailable: problem(503, 'Temporarily unavailable', 'Repeat after `Retry-After` seconds.'),
} as const satisfies Record<string, ProblemKind>;

export type ProblemCode = keyof typeof problems;

/**
 * What API Gateway itself answers, with `{message}` instead of a problem document: quotas of HTTP APIs, and of what Lambda
 * takes at once.
 */
export const gatewayRefusals: Readonly<Record<number, string>> = {
  413: 'The gateway itself refuses more than 10 MB, and what takes more than 6 MB on its way to the function.',
  429: 'The gateway itself refuses more requests a second than the environment lets through.',
  500: 'The gateway itself says so where a function ended without an answer.',
  503: 'The gateway itself says so where there was no answer within 30 seconds.',
};

/** Errors that end a job or one of its items, by code. */
export const jobErrors = {
  media_unreadable: job(
    false,
    'The media cannot be read',
    'Upload a video or audio file that plays; `detail` says what was found instead.',
  ),
  media_limit_exceeded: job(
    false,
    'The media exceeds a limit',
    'Shorten or re-encode it below the limit named.',
  ),
  audio_track_missing: job(
    false,
    'The file has no such audio track',
    'Create the asset with an `audio_track` that the file has; `source_tracks` of the failed one lists them.',
  ),
  language_unsupported: job(
    false,
    'The language is not supported',
    'Choose a language whose `features` in `GET /v1/languages` include this one.',
  ),
  quota_exceeded: job(
    false,
    'A quota of the tenant does not suffice',
    'Ask the operator for more, or upload again in the next month (UTC); `GET /v1/assets/{asset_id}/quote` says beforehand what a job takes.',
  ),
  language_uncertain: job(
    false,
    'The language is uncertain',
    'Create the asset again with its `language_id`; where no engine here understands it, `detail` says how to have more.',
  ),
  engine_unavailable: job(
    false,
    'No engine is installed for this',
    'Install the engine with the command that `detail` names, then create the job again.',
  ),
  storage_access_denied: job(
    false,
    'The storage refused access',
    'Check the credentials and grants of the external storage.',
  ),
  storage_not_found: job(
    false,
    'The storage was not found',
    'Check the destination of the external storage.',
  ),
  storage_object_exists: job(
    false,
    'Something else has the path',
    'Move what is there, give the storage another `export_path`, or export again with `overwrite: true`.',
  ),
  platform_auth_expired: job(
    false,
    'The platform connection has expired',
    'Connect the platform again, then publish again.',
  ),
  platform_rejected: job(
    false,
    'The platform rejected the clip',
    'Change what `detail` names, then publish again.',
  ),
  canceled: job(
    true,
    'The job was canceled',
    'Create the job again, or upload again where its upload was taken back.',
  ),
  provider_unavailable: job(true, 'A provider is unavailable', 'Create the job again later.'),
  timed_out: job(true, 'The job took too long', 'Create the job again; use a shorter asset if it stays.'),
  internal_error: job(true, 'Internal error', 'Create the job again; report `job_id` if it stays.'),
} as const satisfies Record<string, JobErrorKind>;

export type JobErrorCode = keyof typeof jobErrors;

/**
 * Names under which steps fail where a state machine tells apart what callers have no use for, each with the code that they see.
 * A provider that has too much to do is waited for longer than one that is broken, and one that was given up is not asked again.
 */
export const stepFailures = {
  provider_throttled: 'provider_unavailable',
  provider_given_up: 'provider_unavailable',
} as const satisfies Record<string, JobErrorCode>;

export type StepFailure = keyof typeof stepFailures;

/** Codes that any operation can answer, whatever it declares; `insufficient_scope` where it asks for a scope. */
export const universalProblems = [
  'missing_credentials',
  'invalid_api_key',
  'expired_api_key',
  'tenant_suspended',
  'rate_limited',
  'internal_error',
  'temporarily_unavailable',
] as const satisfies ProblemCode[];

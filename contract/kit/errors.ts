/**
 * The registry of all error codes. The kernel's problem+json answers, the OpenAPI responses and the site's `/problems` page
 * use it.
 */
export interface ProblemKind {
  readonly status: number;
  readonly title: string;
  /** How the caller fixes the problem, for the page `/problems`. */
  readonly cure: string;
}

export interface JobErrorKind {
  readonly title: string;
  readonly cure: string;
  /** Whether the caller can succeed by creating the same job again. */
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
    'Start again without `cursor`. Send `next_cursor` unchanged, with the same filters.',
  ),
  missing_credentials: problem(401, 'Missing credentials', 'Send `Authorization: Bearer <API_KEY>`.'),
  invalid_api_key: problem(
    401,
    'Invalid API key',
    'Check that the key is complete, belongs to this environment and was not revoked.',
  ),
  expired_api_key: problem(401, 'Expired API key', 'Rotate the key and use the new one.'),
  insufficient_scope: problem(403, 'Insufficient scope', 'Use a key with the scope that `detail` names.'),
  tenant_suspended: problem(403, 'Tenant suspended', 'Contact the operator of this environment.'),
  quota_exceeded: problem(
    403,
    'Quota exceeded',
    'Wait for the next month or ask the operator for a larger quota.',
  ),
  resource_not_found: problem(
    404,
    'Resource not found',
    'Check the id. Ids of other tenants get the same answer.',
  ),
  route_not_found: problem(404, 'Route not found', 'See `/openapi.json` for the paths of this API.'),
  method_not_allowed: problem(405, 'Method not allowed', 'Use one of the methods in the `Allow` header.'),
  answer_too_large: problem(
    406,
    'Answer too large',
    'Send `Accept-Encoding: gzip`. If the answer is still too large, request fewer `items`.',
  ),
  external_id_conflict: problem(
    409,
    'The external id is already used',
    'Use another `external_id`, or get the asset that has it: `GET /v1/external/assets/{external_id}`.',
  ),
  invalid_state: problem(
    409,
    'Invalid state',
    'Wait until the resource has the state that `detail` names, or change it.',
  ),
  idempotency_in_progress: problem(
    409,
    'Request in progress',
    'The first request with this Idempotency-Key has not finished. Repeat the request after `Retry-After` seconds.',
  ),
  write_conflict: problem(
    409,
    'Write conflict',
    'Another request changed the resource at the same time. Repeat the request.',
  ),
  precondition_failed: problem(
    412,
    'Precondition failed',
    'Read the resource again and send its new ETag in `If-Match`.',
  ),
  payload_too_large: problem(413, 'Payload too large', 'Send less data; `detail` names the limit.'),
  unsupported_media_type: problem(415, 'Unsupported media type', 'Send `Content-Type: application/json`.'),
  validation_failed: problem(422, 'Validation failed', 'Correct the members that `errors` names.'),
  unknown_reference: problem(
    422,
    'Unknown reference',
    '`errors` names an id that does not exist in this tenant. Correct it, or create the resource first.',
  ),
  language_unsupported: problem(
    422,
    'The language is not supported',
    'Choose a language whose `features` in `GET /v1/languages` include this feature, or add languages as `detail` says.',
  ),
  idempotency_key_reused: problem(
    422,
    'Idempotency-Key reused',
    'A different request used this key in the last 24 hours. Send a new key.',
  ),
  upload_parts_mismatch: problem(
    422,
    'Upload parts mismatch',
    'Send the ETag of every uploaded part, in part order. All uploaded parts are kept: upload only the missing ones.',
  ),
  rate_limited: problem(429, 'Rate limited', 'Repeat the request after `Retry-After` seconds.'),
  internal_error: problem(
    500,
    'Internal error',
    'Repeat the request with the same Idempotency-Key. If the error persists, report the `request_id`.',
  ),
  not_implemented: problem(
    501,
    'Not implemented',
    'The request is valid, but this release does not have the feature yet.',
  ),
  temporarily_unavailable: problem(
    503,
    'Temporarily unavailable',
    'Repeat the request after `Retry-After` seconds.',
  ),
} as const satisfies Record<string, ProblemKind>;

export type ProblemCode = keyof typeof problems;

/** An answer with a problem, as the OpenAPI document shows it. */
export interface ProblemExample {
  readonly detail: string;
  readonly path?: string;
  readonly errors?: readonly { readonly pointer: string; readonly code: string; readonly detail: string }[];
}

/** One example for each code. test/api/statuses.test.ts provokes each of these answers. */
export const problemExamples: Readonly<Record<ProblemCode, ProblemExample>> = {
  malformed_json: {
    detail: "The body is not JSON: Expected ',' or '}' after property value in JSON at position 27",
  },
  invalid_parameter: { detail: 'items must be <= 100.', path: '/v1/assets' },
  invalid_cursor: { detail: 'Invalid cursor. Send the `next_cursor` of the previous page.' },
  missing_credentials: { detail: 'Send the header `Authorization: Bearer <API_KEY>`.' },
  invalid_api_key: { detail: 'The API key is not valid. It is not a complete Kinora key.' },
  expired_api_key: { detail: 'The API key expired at 2026-11-01T00:00:00.000Z.' },
  insufficient_scope: { detail: 'The API key lacks the scope assets:write.' },
  tenant_suspended: { detail: 'The tenant of this API key is suspended.' },
  quota_exceeded: { detail: 'The quota of uploads is used up: 500 of 500 in 2026-11.' },
  resource_not_found: {
    detail: 'There is no asset "019a9d2c-7b1e-7c55-9d5a-6f2f0e6c1a11".',
    path: '/v1/assets/019a9d2c-7b1e-7c55-9d5a-6f2f0e6c1a11',
  },
  route_not_found: { detail: 'There is no GET /v1/asset.', path: '/v1/asset' },
  method_not_allowed: { detail: '/v1/languages takes GET, not PUT.', path: '/v1/languages' },
  answer_too_large: {
    detail:
      'The answer takes 7340032 bytes, of 6289508 that can be sent. Accept-Encoding: gzip makes it smaller.',
  },
  external_id_conflict: {
    detail: 'Another asset has the external_id "cms-4711".',
    errors: [{ pointer: '/external_id', code: 'not_unique', detail: 'Already used in this tenant.' }],
  },
  invalid_state: { detail: 'The asset is processing, not ready.' },
  idempotency_in_progress: { detail: 'The first request with this Idempotency-Key has not finished.' },
  write_conflict: {
    detail: 'Another request changed template 019a9d2e-0a11-7c3b-8d55-51a0c0ffee01 at the same time.',
    path: '/v1/templates/019a9d2e-0a11-7c3b-8d55-51a0c0ffee01',
  },
  precondition_failed: { detail: 'The resource is now at version "2".' },
  payload_too_large: { detail: 'The request body is too large. The maximum is 6291456 bytes.' },
  unsupported_media_type: { detail: 'The request has Content-Type "text/plain"; send application/json.' },
  validation_failed: {
    detail: 'filename is required.',
    path: '/v1/assets',
    errors: [{ pointer: '/filename', code: 'required', detail: 'filename is required.' }],
  },
  unknown_reference: {
    detail: 'The request refers to something that does not exist.',
    errors: [
      {
        pointer: '/template_id',
        code: 'unknown_reference',
        detail: 'There is no template 019a9d2e-0a11-7c3b-8d55-51a0c0ffee01.',
      },
    ],
  },
  language_unsupported: {
    detail:
      'The engine in use (pocketsphinx) does not support transcription in "es". It supports: en. ' +
      'Install a model of another language: `npm run models` lists and downloads them.',
  },
  idempotency_key_reused: { detail: 'A different request used this Idempotency-Key before.' },
  upload_parts_mismatch: {
    detail:
      'Part 1 arrived with the ETag "d41d8cd98f00b204e9800998ecf8427e". All parts that arrived are kept. Correct the list and repeat the call.',
    errors: [
      {
        pointer: '/etags/0',
        code: 'part_differs',
        detail: 'Part 1 arrived with the ETag "d41d8cd98f00b204e9800998ecf8427e".',
      },
    ],
  },
  rate_limited: { detail: 'The limit of this tenant is 600 requests a minute.' },
  internal_error: { detail: 'The request failed inside the service; nothing was lost.' },
  not_implemented: { detail: 'Search is not implemented yet. The request is valid.' },
  temporarily_unavailable: { detail: 'A part of the service is busy.' },
};

/** Answers that come from API Gateway, caused by the quotas of HTTP APIs and of Lambda. They have the form `{message}` instead of a problem document. */
export const gatewayRefusals: Readonly<Record<number, string>> = {
  413: 'The gateway rejects requests of more than 10 MB, and of more than 6 MB after encoding for the function.',
  429: 'The gateway rejects requests above the rate limit of the environment.',
  500: 'The gateway answers this if a function ended without an answer.',
  503: 'The gateway answers this if there was no answer within 30 seconds.',
};

/** Errors that end a job or one of its items, by code. */
export const jobErrors = {
  media_unreadable: job(
    false,
    'The media cannot be read',
    'Upload a video or audio file that plays; `detail` says what is wrong with this one.',
  ),
  media_limit_exceeded: job(
    false,
    'The media exceeds a limit',
    'Shorten or re-encode it to stay below the limit that `detail` names.',
  ),
  audio_track_missing: job(
    false,
    'The audio track does not exist',
    'Create the asset again with a valid `audio_track`; `source_tracks` of the failed asset lists the tracks.',
  ),
  language_unsupported: job(
    false,
    'The language is not supported',
    'Choose a language whose `features` in `GET /v1/languages` include this feature.',
  ),
  quota_exceeded: job(
    false,
    'The quota is exceeded',
    'Ask the operator for a larger quota, or upload again next month (UTC). `GET /v1/assets/{asset_id}/quote` shows the usage of a job in advance.',
  ),
  language_uncertain: job(
    false,
    'The language is uncertain',
    'Create the asset again with its `language_id`. If no engine here supports the language, `detail` says how to add it.',
  ),
  engine_unavailable: job(
    false,
    'The engine is not installed',
    'Install the engine with the command that `detail` names, then create the job again.',
  ),
  storage_access_denied: job(
    false,
    'The storage refused access',
    'Check the credentials and the permissions of the external storage.',
  ),
  storage_not_found: job(
    false,
    'The storage was not found',
    'Check the destination of the external storage.',
  ),
  storage_object_exists: job(
    false,
    'Another file exists at this path',
    'Move the other file, change the `export_path` of the storage, or export again with `overwrite: true`.',
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
    'Create the job again. If its upload was removed, upload the file again.',
  ),
  provider_unavailable: job(true, 'A provider is unavailable', 'Create the job again later.'),
  timed_out: job(
    true,
    'The job took too long',
    'Create the job again. If the error persists, use a shorter asset.',
  ),
  internal_error: job(
    true,
    'Internal error',
    'Create the job again. If the error persists, report the `job_id`.',
  ),
} as const satisfies Record<string, JobErrorKind>;

export type JobErrorCode = keyof typeof jobErrors;

/**
 * Errors that state machines distinguish, each with the code that callers see. State machines wait longer for a throttled provider than
 * for a broken one, and do not retry after `provider_given_up`.
 */
export const stepFailures = {
  provider_throttled: 'provider_unavailable',
  provider_given_up: 'provider_unavailable',
} as const satisfies Record<string, JobErrorCode>;

export type StepFailure = keyof typeof stepFailures;

/** Codes that every operation can answer. */
export const universalProblems = [
  'missing_credentials',
  'invalid_api_key',
  'expired_api_key',
  'tenant_suspended',
  'rate_limited',
  'internal_error',
  'temporarily_unavailable',
] as const satisfies ProblemCode[];

/**
 * An example of each problem as its operation gives it: made and rendered by the kernel. test/api/statuses.test.ts
 * holds what they say against what is answered.
 */
import type { ProblemCode } from '../../contract/kit/errors.ts';
import type { CompiledOperation, OperationSpec, ValidatorError } from '../../contract/kit/operation.ts';
import { isPlanned } from '../../contract/kit/planned.ts';
import { asProblem, renderProblem } from '../../platform/kernel/problem.ts';
import { validate } from '../../platform/kernel/validate.ts';
import {
  InvalidState,
  NotFound,
  NotImplemented,
  PreconditionFailed,
  Problem,
  UnknownReference,
  UnsupportedLanguage,
  WriteConflict,
} from '../../shared/problems.ts';
import { exampleId, examplePath } from './example-ids.ts';
import { kindOf, notFoundOf, referenceOf, states } from './problem-words.ts';

/** The body of a problem. */
export function problemExample(spec: OperationSpec, code: ProblemCode, siteUrl: string): unknown {
  const context = { siteUrl, requestId: 'ZkQyWjFqFiAEJ0Q=', path: examplePath(spec) };
  return JSON.parse(renderProblem(problemOf(spec, code), context).body);
}

function problemOf(spec: OperationSpec, code: ProblemCode): Problem {
  const make = makers[code];
  return typeof make === 'string' ? new Problem(code, make) : make(spec);
}

type Maker = string | ((spec: OperationSpec) => Problem);

const makers: Readonly<Record<ProblemCode, Maker>> = {
  malformed_json: "The body is not JSON: Expected ',' or '}' after property value in JSON at position 27",
  invalid_parameter: invalidParameter,
  invalid_cursor: 'The cursor is not one that this API gave.',
  missing_credentials: 'Send the header `Authorization: Bearer <API_KEY>`.',
  invalid_api_key: 'The API key is not valid. It is not a complete Kinora key.',
  expired_api_key: 'The API key expired at 2026-11-01T00:00:00.000Z.',
  insufficient_scope: ({ scope }) =>
    new Problem('insufficient_scope', `This operation needs the scope ${scope}.`),
  tenant_suspended: 'The tenant of this API key is suspended.',
  quota_exceeded: ({ id }) => new Problem('quota_exceeded', quotaExceeded(id)),
  resource_not_found: (spec) => {
    const { kind, id } = notFoundOf(spec);
    return new NotFound(kind, id);
  },
  route_not_found: ({ method }) => new Problem('route_not_found', `There is no ${method} /v1/asset.`),
  method_not_allowed: ({ method }) =>
    new Problem('method_not_allowed', `/v1/languages takes GET, not ${method}.`),
  answer_too_large:
    'The answer takes 7340032 bytes, of 6289508 that can be sent. Accept-Encoding: gzip makes it smaller.',
  external_id_conflict: externalIdConflict,
  invalid_state: (spec) => new InvalidState(states(spec)),
  idempotency_in_progress: 'The first request with this Idempotency-Key still runs.',
  write_conflict: writeConflict,
  precondition_failed: () => new PreconditionFailed('2'),
  payload_too_large: 'A request body may hold 6291456 bytes.',
  unsupported_media_type: 'The request has Content-Type "text/plain"; send application/json.',
  validation_failed: validationFailed,
  language_unsupported: ({ id, path }) => {
    if (id === 'getStl')
      return new Problem(
        'language_unsupported',
        'No code table of EBU STL has the letters of "Japanese". WebVTT and SubRip have those of every language.',
      );
    if (path.endsWith('translation_jobs'))
      return new UnsupportedLanguage(
        '/language_ids/0',
        'The asset is spoken in English: there is nothing to translate into English.',
      );
    if (path.endsWith('voice_over_jobs'))
      return new UnsupportedLanguage(
        '/language_ids/0',
        'The asset is spoken in English: there is nothing to speak over it in English.',
      );
    return new UnsupportedLanguage(
      '/language_id',
      'The engine in use (pocketsphinx) does no transcription in "es". It knows: en. ' +
        'Choose a model of another language: `npm run models` lists and fetches them.',
    );
  },
  unknown_reference: (spec) => new UnknownReference([referenceOf(spec)]),
  idempotency_key_reused: 'This Idempotency-Key came with a different request before.',
  upload_parts_mismatch: () =>
    new Problem(
      'upload_parts_mismatch',
      'Part 1 arrived with the ETag "d41d8cd98f00b204e9800998ecf8427e". All parts that arrived are kept; correct and repeat.',
      {
        findings: [
          {
            pointer: '/etags/0',
            code: 'part_differs',
            detail: 'Part 1 arrived with the ETag "d41d8cd98f00b204e9800998ecf8427e".',
          },
        ],
      },
    ),
  rate_limited: 'This tenant may send 600 requests a minute.',
  internal_error: () => asProblem(new Error()),
  not_implemented: (spec) => new NotImplemented(isPlanned(spec) ? spec : { planned: spec.summary }),
  temporarily_unavailable: () => asProblem(Object.assign(new Error(), { name: 'ThrottlingException' })),
};

function externalIdConflict({ id }: OperationSpec): Problem {
  if (id !== 'createAsset') {
    return new Problem('external_id_conflict', 'Another asset has the external_id "show-2026-11-21".');
  }
  return new Problem('external_id_conflict', 'Another asset has the external_id "cms-4711".', {
    findings: [{ pointer: '/external_id', code: 'not_unique', detail: 'Already used in this tenant.' }],
  });
}

/** The quota that an operation holds for its job. */
const heldBy = [
  [/ranslationJob$/, 'translated_characters'],
  [/VoiceOverJob$/, 'spoken_characters'],
  [/VideoClips?Async$/, 'rendered_minutes'],
] as const;

function quotaExceeded(id: string): string {
  if (id === 'createWebhook') return 'A tenant has at most 20 webhooks. Delete one first.';
  const metric = heldBy.find(([jobs]) => jobs.test(id))?.[1];
  if (metric === undefined) return 'uploads of 2026-11 is 500; the quota of this tenant is 500.';
  return `${metric} of this month is 9000, and up to 500 for jobs that are under way; up to 700 more would exceed the quota of this tenant, 10000.`;
}

function writeConflict(spec: OperationSpec): Problem {
  if (!spec.path.endsWith('/collections/{collection_id}/assets')) {
    const { kind, id } = kindOf(spec);
    return new WriteConflict(kind, id);
  }
  return new Problem(
    'write_conflict',
    '1 of 1 assets were changed by others at the same time; the rest is done. Repeat the call.',
    {
      findings: [
        {
          pointer: '/asset_ids/0',
          code: 'write_conflict',
          detail: `Others kept changing asset ${exampleId('asset_id')}: it stays where it was.`,
        },
      ],
    },
  );
}

/** What the kernel says of a parameter or body in which ajv found this. */
function saidOf(part: 'params' | 'query' | 'body', error: ValidatorError): Problem {
  const check = Object.assign(() => false, { errors: [error] });
  const operation = { bodyOptional: false, validators: { query: () => true, [part]: check } };
  try {
    validate(operation as unknown as CompiledOperation, event, {});
  } catch (problem) {
    return problem as Problem;
  }
  throw new TypeError('The kernel refuses nothing');
}

const event = {
  routeKey: '',
  rawPath: '',
  requestContext: { requestId: '', http: { method: '', path: '' } },
};

interface ObjectSchema {
  readonly properties?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly required?: readonly string[];
}

const membersOf = (schema: unknown) => Object.entries((schema as ObjectSchema | undefined)?.properties ?? {});

const noUuid = (name: string): ValidatorError => ({
  instancePath: `/${name}`,
  keyword: 'format',
  params: { format: 'uuid' },
  message: 'must match format "uuid"',
});

const tooMuch = (name: string, limit: unknown): ValidatorError => ({
  instancePath: `/${name}`,
  keyword: 'maximum',
  params: { comparison: '<=', limit },
  message: `must be <= ${limit}`,
});

const unknownMember = (name: string): ValidatorError => ({
  instancePath: '',
  keyword: 'additionalProperties',
  params: { additionalProperty: name },
});

function invalidParameter({ params, query }: OperationSpec): Problem {
  const [items] = membersOf(query).filter(([name]) => name === 'items' || name === 'months');
  if (items !== undefined) return saidOf('query', tooMuch(items[0], items[1].maximum));
  const [id] = membersOf(params).findLast(([, { format }]) => format === 'uuid') ?? [];
  if (id !== undefined) return saidOf('params', noUuid(id));
  return saidOf('query', unknownMember('verbose'));
}

/** The first member that must be there is missing, or there is one too many. */
function validationFailed({ body }: OperationSpec): Problem {
  const [missingProperty] = (body as ObjectSchema | undefined)?.required ?? [];
  if (missingProperty === undefined) return saidOf('body', unknownMember('colour'));
  return saidOf('body', { instancePath: '', keyword: 'required', params: { missingProperty } });
}

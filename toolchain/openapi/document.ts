/** The OpenAPI 3.1 document, made from the contract. */

import { operations } from '../../contract/index.ts';
import { gatewayRefusals, type ProblemCode, problems, universalProblems } from '../../contract/kit/errors.ts';
import type { OperationSpec, ResponseSpec } from '../../contract/kit/operation.ts';
import { Components, gatewayRefusalSchema, problemSchema } from './schemas.ts';

export interface DocumentOptions {
  readonly siteUrl?: string;
}

const tags: Readonly<Record<string, string>> = {
  assets: 'Media of a tenant: create, list, delete.',
  uploads: 'Multipart upload in four steps, and the job that follows.',
  transcriptions: 'Transcriptions, segments and subtitles.',
  languages: 'Languages and what the engines do with each.',
  segments: 'Segments of a transcription: add and edit, one or many.',
  speakers: 'People whose names subtitles show.',
  templates: 'What is done with an asset without asking again.',
  wordLists: 'Blacklists, whitelists and dictionaries.',
  brandings: 'Brandings, their variants, and styles of subtitles.',
  collections: 'Groups of assets.',
  brandingMedia: 'Overlays and branding clips, with the upload of their files.',
  views: 'Filters of the asset list under a name.',
  externalStorages: 'Where results are exported to.',
  adminStorages: "What operators see of all tenants' external storages.",
  analyses: 'What analyses find in an asset, and what people tell about it.',
  tracks: 'Audio tracks: the original, and those that voice over adds.',
  clips: 'Parts of an asset: reframed, branded, subtitled, downloaded.',
  jobs: 'Translation, voice over and partial retranslation.',
  exports: 'Subtitles, metadata and clips to external storages.',
  publishing: 'Clips on platforms, now or later.',
  search: 'Places in assets, by what is said, seen or heard.',
  channels: 'Live sources that assets are made of.',
  usage: 'What the tenant has used, month by month.',
  events: 'The log of what happened to assets and jobs, to be replayed.',
  webhooks: 'Addresses that are told of events as they happen, signed.',
};

/** Resources that are Lambdas of their own for a reason that no caller needs to know. */
const partOf: Readonly<Record<string, string>> = { assetLifecycle: 'assets' };

/** Under which heading the operations of a resource stand. */
export const tagOf = (resource: string): string => inWords(partOf[resource] ?? resource);

/** `brandingMedia` → `branding media`. */
const inWords = (name: string): string => name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

export function openApiDocument({ siteUrl = '' }: DocumentOptions = {}) {
  const components = new Components();
  const paths: Record<string, Record<string, unknown>> = {};
  for (const { resource, spec } of operations) {
    paths[spec.path] ??= {};
    paths[spec.path]![spec.method.toLowerCase()] = operationObject(resource, spec, components);
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Kinora API',
      version: '1.0.0',
      summary: 'Upload media; get transcriptions, subtitles, translations, voice over and clips.',
      description:
        'Every request carries `Authorization: Bearer <API_KEY>`. Errors are RFC 9457 problem documents with a stable `code`. ' +
        'POST takes an `Idempotency-Key`; a repeat within 24 hours receives the first answer. ' +
        'HEAD is answered wherever GET is, without the body.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      contact: { name: 'Kinora', url: `${siteUrl || 'https://kinora.dev'}/contact` },
    },
    // OpenAPI 3.1 §4.8.5: relative to where the document is served, hence right everywhere.
    servers: [{ url: '/', description: 'This environment' }],
    security: [{ apiKey: [] }],
    tags: Object.entries(tags).map(([resource, description]) => ({ name: tagOf(resource), description })),
    paths,
    components: {
      securitySchemes: {
        apiKey: { type: 'http', scheme: 'bearer', description: '`knr_{live|test}_{id}_{secret}`' },
      },
      parameters: sharedParameters,
      headers: sharedHeaders,
      responses: problemResponses(),
      schemas: { ...components.schemas, Problem: problemSchema, GatewayRefusal: gatewayRefusalSchema },
    },
  };
}

const sharedParameters = {
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description: 'Any unique text, such as a UUID. The same key within 24 hours receives the first answer.',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
  },
  IfNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    required: false,
    description: 'ETag of the version that the caller has; 304 where it still holds.',
    schema: { type: 'string' },
  },
  IfMatch: {
    name: 'If-Match',
    in: 'header',
    required: false,
    description: 'ETag that the resource must still have; 412 otherwise.',
    schema: { type: 'string' },
  },
};

const sharedHeaders = {
  RequestId: { description: 'Id of the request, as in logs and problems', schema: { type: 'string' } },
};

function operationObject(resource: string, spec: OperationSpec, components: Components) {
  const hasEtag = Object.values(spec.responses).some((response) => response.headers?.ETag !== undefined);
  const parameters = [
    ...components.parameters('path', spec.params),
    ...components.parameters('query', spec.query),
    ...(spec.method === 'POST' ? [{ $ref: '#/components/parameters/IdempotencyKey' }] : []),
    ...(spec.method === 'GET' && hasEtag ? [{ $ref: '#/components/parameters/IfNoneMatch' }] : []),
    ...(spec.errors.includes('precondition_failed') ? [{ $ref: '#/components/parameters/IfMatch' }] : []),
  ];
  return {
    operationId: spec.id,
    tags: [tagOf(resource)],
    summary: spec.summary,
    description: descriptionOf(spec),
    ...(parameters.length > 0 && { parameters }),
    ...(spec.body !== undefined && {
      requestBody: {
        required: !spec.bodyOptional,
        content: {
          'application/json': { schema: components.reference(spec.body), example: spec.bodyExample },
        },
      },
    }),
    responses: { ...successes(spec, hasEtag, components), ...failures(spec) },
  };
}

function descriptionOf(spec: OperationSpec): string {
  const scope = spec.scope === null ? 'Any valid key will do.' : `Scope: \`${spec.scope}\`.`;
  const origin = spec.beyondSpec ? ' An addition to the base specification.' : '';
  return `${spec.description ?? `${spec.summary}.`} ${scope}${origin}`;
}

function successes(spec: OperationSpec, hasEtag: boolean, components: Components) {
  const entries = Object.entries(spec.responses).map(([status, response]) => [
    status,
    {
      description: response.description,
      headers: headersOf(response),
      ...contentOf(response, components),
    },
  ]);
  const notModified = {
    description: 'The version that the caller has still holds',
    headers: headersOf({ description: '', headers: { ETag: 'That version' } }),
  };
  const conditional = spec.method === 'GET' && hasEtag ? { 304: notModified } : {};
  return { ...Object.fromEntries(entries), ...conditional };
}

function contentOf(response: ResponseSpec, components: Components) {
  if (response.text !== undefined) {
    const [type = 'text/plain'] = response.text.contentType.split(';');
    return { content: { [type]: { schema: { type: 'string' }, example: response.text.example } } };
  }
  if (response.body === undefined) return {};
  const schema = components.reference(response.body);
  return {
    content: {
      'application/json': { schema, ...(response.example !== undefined && { example: response.example }) },
    },
  };
}

function headersOf(response: ResponseSpec) {
  const own = Object.entries(response.headers ?? {}).map(([name, description]) => [
    name,
    { description, schema: { type: name === 'Retry-After' ? 'integer' : 'string' } },
  ]);
  return { 'X-Request-Id': { $ref: '#/components/headers/RequestId' }, ...Object.fromEntries(own) };
}

/** Every code that the operation can answer, grouped by status. */
export function problemCodesOf(spec: OperationSpec): ProblemCode[] {
  const idempotent: ProblemCode[] =
    spec.method === 'POST' ? ['idempotency_in_progress', 'idempotency_key_reused'] : [];
  const withBody: ProblemCode[] =
    spec.body === undefined
      ? []
      : ['malformed_json', 'payload_too_large', 'unsupported_media_type', 'validation_failed'];
  const scoped: ProblemCode[] = spec.scope === null ? [] : ['insufficient_scope'];
  const always: ProblemCode[] = ['invalid_parameter', ...universalProblems];
  return [...new Set([...spec.errors, ...idempotent, ...withBody, ...scoped, ...always])];
}

function failures(spec: OperationSpec) {
  const byStatus = Map.groupBy(problemCodesOf(spec), (code) => problems[code].status);
  return Object.fromEntries(
    [...byStatus]
      .sort(([a], [b]) => a - b)
      .map(([status, codes]) => [status, { $ref: `#/components/responses/${responseName(status, codes)}` }]),
  );
}

const responseName = (status: number, codes: readonly string[]) =>
  `Problem${status}_${[...codes].sort().join('_or_')}`;

/** One response a set of codes, so that each operation lists exactly its own. */
function problemResponses() {
  const named = operations.flatMap(({ spec }) =>
    [...Map.groupBy(problemCodesOf(spec).sort(), (code) => problems[code].status)].map(
      ([status, codes]) => [responseName(status, codes), problemResponse(status, codes)] as const,
    ),
  );
  return Object.fromEntries(named);
}

/** draft-ietf-httpapi-ratelimit-headers; on every answer of a tenant that has a limit. */
const rateLimitHeaders = {
  'RateLimit-Policy': { description: 'Limit: q requests in w seconds', schema: { type: 'string' } },
  RateLimit: { description: 'What is left: r requests in t seconds', schema: { type: 'string' } },
};

function problemResponse(status: number, codes: readonly ProblemCode[]) {
  const headers: Record<string, unknown> = { 'X-Request-Id': { $ref: '#/components/headers/RequestId' } };
  if (status === 401) headers['WWW-Authenticate'] = { description: 'RFC 6750', schema: { type: 'string' } };
  if (status === 429 || status === 503) {
    headers['Retry-After'] = { description: 'Seconds to wait', schema: { type: 'integer' } };
  }
  if (status === 429) Object.assign(headers, rateLimitHeaders);
  const refusal = gatewayRefusals[status];
  const said = codes.map((code) => `\`${code}\`: ${problems[code].title}.`);
  return {
    description: [...said, ...(refusal === undefined ? [] : [refusal])].join(' '),
    headers,
    content: {
      'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } },
      ...(refusal !== undefined && {
        'application/json': { schema: { $ref: '#/components/schemas/GatewayRefusal' } },
      }),
    },
  };
}

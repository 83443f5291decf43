/** The problems that an operation can return, as responses of the document. */
import { operations } from '../../contract/index.ts';
import {
  gatewayRefusals,
  type ProblemCode,
  problemExamples,
  problems,
  universalProblems,
} from '../../contract/kit/errors.ts';
import type { OperationSpec } from '../../contract/kit/operation.ts';
import { isPlanned } from '../../contract/kit/planned.ts';
import { renderProblem } from '../../platform/kernel/problem.ts';
import { Problem } from '../../shared/problems.ts';
import { rateLimitHeaders, requestIdHeader } from './headers.ts';

export function problemCodesOf(spec: OperationSpec): ProblemCode[] {
  const { properties = {} } = (spec.query ?? {}) as { readonly properties?: object };
  const codes: ProblemCode[] = [
    ...when(spec.params !== undefined, 'resource_not_found'),
    'invalid_parameter',
    ...when('cursor' in properties, 'invalid_cursor'),
    ...(spec.errors ?? []),
    ...when(isPlanned(spec), 'not_implemented'),
    ...when(spec.method === 'POST', 'idempotency_in_progress', 'idempotency_key_reused'),
    ...when(spec.body !== undefined, ...bodyProblems),
    ...when(spec.scope !== null, 'insufficient_scope'),
    ...universalProblems,
  ];
  return [...new Set(codes)];
}

const when = (condition: boolean, ...codes: ProblemCode[]) => (condition ? codes : []);

const bodyProblems = [
  'malformed_json',
  'payload_too_large',
  'unsupported_media_type',
  'validation_failed',
] as const;

/** References to `sharedProblemComponents`, by status. */
export const problemResponses = (spec: OperationSpec) =>
  Object.fromEntries(
    byStatus(problemCodesOf(spec)).map(([status, codes]) => [
      status,
      { $ref: `#/components/responses/${nameOf(status, codes)}` },
    ]),
  );

export function sharedProblemComponents(siteUrl: string) {
  const responses = operations
    .flatMap(({ spec }) => byStatus(problemCodesOf(spec)))
    .map(([status, codes]) => [nameOf(status, codes), responseOf(status, codes)]);
  const codes = new Set(operations.flatMap(({ spec }) => problemCodesOf(spec)));
  const examples = [...codes].map((code) => [
    code,
    { summary: problems[code].title, value: problemExample(code, siteUrl) },
  ]);
  return { responses: Object.fromEntries(responses), examples: Object.fromEntries(examples) };
}

export function problemExample(code: ProblemCode, siteUrl: string): unknown {
  const { detail, path = '/v1/assets', errors = [] } = problemExamples[code];
  const context = { siteUrl, requestId: 'ZkQyWjFqFiAEJ0Q=', path };
  return JSON.parse(renderProblem(new Problem(code, detail, { findings: errors }), context).body);
}

function byStatus(codes: readonly ProblemCode[]): [status: number, codes: ProblemCode[]][] {
  const groups = Map.groupBy([...codes].sort(), (code) => problems[code].status);
  return [...groups].sort(([one], [other]) => one - other);
}

const nameOf = (status: number, codes: readonly ProblemCode[]) => `Problem${status}_${codes.join('_or_')}`;

function responseOf(status: number, codes: readonly ProblemCode[]) {
  const refusal = gatewayRefusals[status];
  const said = codes.map((code) => `\`${code}\`: ${problems[code].title}.`);
  return {
    description: [...said, ...(refusal === undefined ? [] : [refusal])].join(' '),
    headers: {
      ...requestIdHeader,
      ...(status === 401 && {
        'WWW-Authenticate': { description: 'RFC 6750', schema: { type: 'string' } },
      }),
      ...(status === 429 && rateLimitHeaders),
      ...((status === 429 || status === 503) && {
        'Retry-After': { description: 'Seconds to wait', schema: { type: 'integer' } },
      }),
    },
    content: {
      'application/problem+json': {
        schema: { $ref: '#/components/schemas/Problem' },
        examples: Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }])),
      },
      ...(refusal !== undefined && {
        'application/json': {
          schema: { $ref: '#/components/schemas/GatewayRefusal' },
          example: { message: gatewayMessages[status] },
        },
      }),
    },
  };
}

const gatewayMessages: Readonly<Record<number, string>> = {
  413: 'Request Entity Too Large',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
};

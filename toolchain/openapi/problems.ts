/** The problems of an operation: which it can answer, and an example of each. */
import { operations } from '../../contract/index.ts';
import { gatewayRefusals, type ProblemCode, problems, universalProblems } from '../../contract/kit/errors.ts';
import type { OperationSpec } from '../../contract/kit/operation.ts';
import { isPlanned } from '../../contract/kit/planned.ts';
import { rateLimitHeaders, requestIdHeader } from './headers.ts';
import { problemExample } from './problem-examples.ts';

/** Every code that the operation can answer. */
export function problemCodesOf(spec: OperationSpec): ProblemCode[] {
  const idempotent: ProblemCode[] =
    spec.method === 'POST' ? ['idempotency_in_progress', 'idempotency_key_reused'] : [];
  const withBody: ProblemCode[] =
    spec.body === undefined
      ? []
      : ['malformed_json', 'payload_too_large', 'unsupported_media_type', 'validation_failed'];
  const scoped: ProblemCode[] = spec.scope === null ? [] : ['insufficient_scope'];
  const planned: ProblemCode[] = isPlanned(spec) ? ['not_implemented'] : [];
  const always: ProblemCode[] = ['invalid_parameter', ...universalProblems];
  return [...new Set([...spec.errors, ...planned, ...idempotent, ...withBody, ...scoped, ...always])];
}

/** Responses by status, each with an example a code. Those that stand in many operations refer to `sharedProblems`. */
export function problemResponses(spec: OperationSpec, siteUrl: string) {
  return Object.fromEntries(
    byStatus(problemCodesOf(spec)).map(([status, codes]) => [
      status,
      codes.every((code) => alike.has(code))
        ? { $ref: `#/components/responses/${nameOf(status, codes)}` }
        : responseOf(status, codes, (code) => exampleOf(spec, code, siteUrl)),
    ]),
  );
}

/** What the kernel answers, or says alike, to every operation: their examples are answers to one. */
const alike = new Set<ProblemCode>([
  ...universalProblems,
  'malformed_json',
  'invalid_cursor',
  'answer_too_large',
  'idempotency_in_progress',
  'idempotency_key_reused',
  'payload_too_large',
  'precondition_failed',
  'unsupported_media_type',
]);

/** The responses and examples that operations refer to. */
export function sharedProblems(siteUrl: string) {
  const specs = operations.map(({ spec }) => spec as OperationSpec);
  const responses = specs
    .flatMap((spec) => byStatus(problemCodesOf(spec)))
    .filter(([, codes]) => codes.every((code) => alike.has(code)))
    .map(([status, codes]) => [nameOf(status, codes), responseOf(status, codes, referenceTo)]);
  const spec = specs.find(({ id }) => id === 'createAsset')!;
  const examples = [...alike].map((code) => [code, inlineExample(spec, code, siteUrl)]);
  return { responses: Object.fromEntries(responses), examples: Object.fromEntries(examples) };
}

function byStatus(codes: readonly ProblemCode[]): [status: number, codes: ProblemCode[]][] {
  const groups = Map.groupBy([...codes].sort(), (code) => problems[code].status);
  return [...groups].sort(([one], [other]) => one - other);
}

const nameOf = (status: number, codes: readonly ProblemCode[]) => `Problem${status}_${codes.join('_or_')}`;

const referenceTo = (code: ProblemCode): object => ({ $ref: `#/components/examples/${code}` });

const exampleOf = (spec: OperationSpec, code: ProblemCode, siteUrl: string): object =>
  alike.has(code) ? referenceTo(code) : inlineExample(spec, code, siteUrl);

const inlineExample = (spec: OperationSpec, code: ProblemCode, siteUrl: string) => ({
  summary: problems[code].title,
  value: problemExample(spec, code, siteUrl),
});

function responseOf(status: number, codes: readonly ProblemCode[], example: (code: ProblemCode) => object) {
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
        examples: Object.fromEntries(codes.map((code) => [code, example(code)])),
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

/** What the gateway says in place of the API. */
const gatewayMessages: Readonly<Record<number, string>> = {
  413: 'Request Entity Too Large',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
};

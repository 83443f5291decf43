/**
 * Sends valid and broken requests, generated from the contract's schemas. Every operation must give an answer
 * that it declares. A failure prints the seed.
 */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import fc, { type Arbitrary } from 'fast-check';
import { uuidv7 } from 'uuidv7';
import { beforeAll, describe, expect, it } from 'vitest';
import { operations } from '../../contract/index.ts';
import { problems } from '../../contract/kit/errors.ts';
import type { OperationSpec } from '../../contract/kit/operation.ts';
import { scopes } from '../../contract/kit/scopes.ts';
import { formats, withoutNames } from '../../toolchain/generate/validators.ts';
import { problemCodesOf } from '../../toolchain/openapi/problems.ts';
import { problemSchema } from '../../toolchain/openapi/schemas.ts';
import type { Answer } from '../support/api.ts';
import { Belongings, filled } from '../support/belongings.ts';
import { bodyReferences, queryReferences } from '../support/references.ts';
import { type Known, mutated, valid } from '../support/schema-arbitrary.ts';
import { startTestApi } from '../support/test-api.ts';

/** Parallel requests: half of the time is spent in the process of the database. */
const BATCH = 25;
/** Batches of an operation: bodies come in more kinds than what a path, a query and headers hold. */
const batchesFor = ({ body }: OperationSpec) => (body === undefined ? 1 : 2);

let own: Belongings;
let authorization: string;

const api = await startTestApi();

beforeAll(async () => {
  own = new Belongings(await api.tenant('acme'));
  authorization = `Bearer ${(await api.environment.newKey('acme', scopes)).text}`;
});

interface Request {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  readonly body: unknown;
  readonly headers: Readonly<Record<string, string>>;
}

const ajv = new Ajv2020({ strict: true, strictTypes: false, formats });
const isProblem = ajv.compile(problemSchema);
const compiled = new Map<unknown, ValidateFunction>();
function validatorOf(schema: unknown): ValidateFunction {
  if (!compiled.has(schema)) compiled.set(schema, ajv.compile(withoutNames(schema) as object));
  return compiled.get(schema)!;
}

/** Deepest paths first, and deletions after all else, so that there is something to ask for. */
const inOrder = operations
  .map(({ spec }) => spec as OperationSpec)
  .toSorted((one, other) => {
    const isDeletion = ({ method }: OperationSpec) => Number(method === 'DELETE');
    return isDeletion(one) - isDeletion(other) || other.path.length - one.path.length;
  });

describe('a request with random content', () => {
  it.each(inOrder.map((spec) => [spec.id, spec] as const))(
    'to %s gets a response that the contract declares',
    async (_, spec) => {
      const requests = await requestsOf(spec);
      const batches = fc.array(requests, { minLength: BATCH, maxLength: BATCH });
      await fc.assert(
        fc.asyncProperty(batches, async (batch) => {
          const replies = await Promise.all(batch.map((request) => send(spec, request)));
          const found = replies.flatMap((reply, at) =>
            faults(spec, reply).map((fault) => [fault, batch[at]]),
          );
          expect(found).toEqual([]);
        }),
        { numRuns: batchesFor(spec), endOnFailure: true },
      );
    },
  );
});

function send(spec: OperationSpec, { params, query, body, headers }: Request): Promise<Answer> {
  const search = new URLSearchParams(query).toString();
  const path = filled(spec.path, params) + (search === '' ? '' : `?${search}`);
  return own.tenant.call(spec.method, path, body, { authorization, ...headers });
}

/** Requests whose ids are mostly those of things that exist. */
async function requestsOf(spec: OperationSpec): Promise<Arbitrary<Request>> {
  const known: Record<string, string[]> = {};
  for (const { at, kind } of [...bodyReferences(spec), ...queryReferences(spec)]) {
    const member = at.findLast((part): part is string => typeof part === 'string')!;
    known[member] = [await own.id(kind)];
  }
  const ids: Known = (member) => known[member];
  const params = await own.params(spec.path);
  const example = await own.body(spec);
  const body =
    spec.body === undefined
      ? fc.constant(undefined)
      : fc.oneof(
          { weight: 1, arbitrary: fc.constant(example) },
          { weight: 4, arbitrary: valid(spec.body, ids) },
          { weight: 2, arbitrary: mutated(fc.constant(example)) },
          { weight: 3, arbitrary: mutated(valid(spec.body, ids)) },
        );
  return fc.record({
    params: fc.record(
      Object.fromEntries(
        Object.entries(params).map(([name, id]) => [
          name,
          fc.oneof(
            { weight: 12, arbitrary: fc.constant(id) },
            { weight: 1, arbitrary: fc.constantFrom(uuidv7(), id.toUpperCase()) },
            {
              weight: 1,
              arbitrary: fc
                .string({ minLength: 1, maxLength: 40, unit: 'grapheme' })
                .map((text) => inPath(name, text)),
            },
          ),
        ]),
      ),
    ),
    query: spec.query === undefined ? spoiltQuery : queryOf(spec.query, ids),
    body,
    headers: fc.record(
      {
        'idempotency-key': fc.constantFrom('one', 'other', 'k ey', ''),
        'if-match': fc.constantFrom('"1"', '"2"', '*', 'x'),
        'if-none-match': fc.constantFrom('"1"', 'W/"1"', '*'),
      },
      { requiredKeys: [] },
    ),
  }) as Arbitrary<Request>;
}

/**
 * The gateway routes an id with a slash to another path, so such ids never reach a handler, except the caller's
 * own.
 */
const inPath = (name: string, text: string) => (name === 'external_id' ? text : text.replaceAll('/', '-'));

const spoiltQuery = fc.oneof(
  { weight: 9, arbitrary: fc.constant({}) },
  { weight: 1, arbitrary: fc.constant({ colour: 'red' }) },
);

/** Parameters are sent as text. */
const queryOf = (schema: unknown, known: Known) =>
  fc
    .oneof(
      { weight: 3, arbitrary: valid(schema, known) },
      { weight: 1, arbitrary: mutated(valid(schema, known)) },
    )
    .map((query) =>
      Object.fromEntries(Object.entries(Object(query)).map(([name, value]) => [name, asText(value)])),
    );

const asText = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));

function faults(spec: OperationSpec, { status, headers, text, json }: Answer): string[] {
  const type = headers['Content-Type'];
  if (type === 'application/problem+json') return problemFaults(spec, status, json);
  const declared = spec.responses[status];
  const isConditional = spec.method === 'GET' && status === 304 && headers.ETag !== undefined;
  if (declared === undefined) return isConditional ? [] : [`${status} is not declared: ${text}`];
  const lost = Object.keys(declared.headers ?? {}).filter(
    (name) => ['ETag', 'Location', 'Link'].includes(name) && headers[name] === undefined,
  );
  if (lost.length > 0) return [`${status} lacks ${lost}`];
  const file = declared.text ?? declared.bytes;
  if (file !== undefined) return type === file.contentType ? [] : [`${status} is ${type}`];
  if (declared.body === undefined) return text === '' ? [] : [`${status} has a body`];
  const check = validatorOf(declared.body);
  return check(json) ? [] : [`${status} ${ajv.errorsText(check.errors)}: ${text}`];
}

function problemFaults(spec: OperationSpec, status: number, json: { code: keyof typeof problems }): string[] {
  if (!isProblem(json)) return [`no problem: ${ajv.errorsText(isProblem.errors)}`];
  const { code } = json;
  if (problems[code].status !== status) return [`${code} with ${status}`];
  if (status >= 500 && code !== 'not_implemented') return [`${code}: ${JSON.stringify(json)}`];
  return problemCodesOf(spec).includes(code) ? [] : [`${code} is not declared: ${JSON.stringify(json)}`];
}

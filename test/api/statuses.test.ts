/**
 * Each status and each problem code of the OpenAPI document is provoked and compared with the document. An
 * answer that cannot be provoked does not belong in the contract.
 */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { operations } from '../../contract/index.ts';
import { type ProblemCode, problemExamples, problems } from '../../contract/kit/errors.ts';
import type { OperationSpec } from '../../contract/kit/operation.ts';
import { isPlanned } from '../../contract/kit/planned.ts';
import { problemCodesOf } from '../../toolchain/openapi/problems.ts';
import { faultsOf, successesOf } from '../support/declared-answers.ts';
import { provokerOf } from '../support/provokers/index.ts';
import { Scene, startWorld, type World } from '../support/provokers/scene.ts';
import { circumstances } from '../support/provokers/states.ts';

// The wait before a retry does not affect the answer.
vi.mock('../../platform/table/backoff.ts', () => ({ backoff: async () => {} }));

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

const specs = operations.map(({ spec }) => spec as OperationSpec);

const refusals = specs.flatMap((spec) =>
  problemCodesOf(spec).map((code) => [spec.id, problems[code].status, code, spec] as const),
);

/** A text without the parts that differ between requests: ids, numbers, states and quoted texts. */
const form = (detail: string) =>
  detail
    .replace(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'ID')
    .replace(/"[^"]*"/g, '""')
    .replace(/(?<=\bis )[a-z]+(?=[;:,])/g, 'STATE')
    .replace(/\d+/g, '0');

/** Forms of the answers, by code. */
const answered = new Map<ProblemCode, Set<string>>();

describe('every documented problem', () => {
  it.each(refusals)('of %s can occur: %i %s', async (_, status, code, spec) => {
    const answer = await provokerOf(spec, code)(new Scene(world, spec));
    expect([answer.status, answer.json?.code], answer.text).toEqual([status, code]);
    expect(faultsOf(spec, answer)).toEqual([]);
    answered.set(code, (answered.get(code) ?? new Set()).add(form(answer.json.detail)));
  });

  // The parser of JSON words its errors; a parameter or a body can be wrong in many ways.
  const varied: readonly ProblemCode[] = ['malformed_json', 'invalid_parameter', 'validation_failed'];
  const codes = Object.keys(problems) as ProblemCode[];

  it.each(codes.filter((code) => !varied.includes(code)))(
    'has the documented example as its message: %s',
    (code) => {
      const forms = answered.get(code);
      if (forms !== undefined) expect([...forms]).toContain(form(problemExamples[code].detail));
    },
  );
});

/** Those that answer write_conflict were asked for it above. */
const changing = specs
  .filter((spec) => spec.method !== 'GET' && !problemCodesOf(spec).includes('write_conflict'))
  .map((spec) => [spec.id, 'other requests change the same item', spec] as const);
const ofAssets = specs
  .filter(({ path }) => path.startsWith('/v1/assets/{asset_id}'))
  .map((spec) => [spec.id, 'its asset is being deleted', spec] as const);

describe('during concurrent changes, every response is documented', () => {
  it.each([...changing, ...ofAssets])('for %s if %s', async (_, circumstance, spec) => {
    const answer = await circumstances[circumstance](new Scene(world, spec));
    expect(faultsOf(spec, answer)).toEqual([]);
    if (answer.status < 400) return;
    expect(problemCodesOf(spec)).toContain(answer.json.code);
    expect(['internal_error', 'temporarily_unavailable']).not.toContain(answer.json.code);
  });
});

const served = specs
  .filter((spec) => !isPlanned(spec))
  .flatMap((spec) => successesOf(spec).map((status) => [spec.id, status, spec] as const));

describe('every documented success', () => {
  // An empty list does not count: it shows no item.
  it.each(served)('of %s can occur: %i', async (_, status, spec) => {
    const answer = await provokerOf(spec, status)(new Scene(world, spec));
    expect(answer.status, answer.text).toBe(status);
    expect(faultsOf(spec, answer)).toEqual([]);
    expect(answer.json?.data).not.toEqual([]);
  });
});

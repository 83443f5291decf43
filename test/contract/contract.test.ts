import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { operations } from '../../contract/index.ts';
import { type ProblemCode, problems } from '../../contract/kit/errors.ts';
import { eventTypeNames } from '../../contract/kit/event-types.ts';
import type { OperationSpec } from '../../contract/kit/operation.ts';
import { plannedOperations } from '../../contract/kit/planned.ts';
import { Event } from '../../contract/resources/events.ts';
import { formats, withoutNames } from '../../toolchain/generate/validators.ts';
import { openApiDocument } from '../../toolchain/openapi/document.ts';
import { problemCodesOf, problemExample } from '../../toolchain/openapi/problems.ts';
import { problemSchema } from '../../toolchain/openapi/schemas.ts';

const ajv = new Ajv2020({ strict: true, strictTypes: false, formats });
const check = (schema: unknown, value: unknown) => {
  const isValid = ajv.compile(withoutNames(schema) as object);
  return isValid(value) ? [] : isValid.errors;
};

describe('the contract', () => {
  it('uses each operation id and each route once', () => {
    expect(new Set(operations.map(({ spec }) => spec.id)).size).toBe(operations.length);
    expect(new Set(operations.map(({ spec }) => spec.method + spec.path)).size).toBe(operations.length);
  });

  it.each(operations.map(({ spec }) => [spec.id, spec] as const))(
    'has examples of %s that match their schemas',
    (_, spec) => {
      if (spec.body !== undefined) expect(check(spec.body, spec.bodyExample)).toEqual([]);
      for (const { body, example } of Object.values(spec.responses)) {
        if (body !== undefined && example !== undefined) expect(check(body, example)).toEqual([]);
      }
    },
  );
});

describe('the OpenAPI document', () => {
  const document = openApiDocument();

  it('is OpenAPI 3.1 with every operation of the contract', () => {
    expect(document.openapi).toBe('3.1.0');
    for (const { spec } of operations) {
      expect(document.paths[spec.path]?.[spec.method.toLowerCase()]).toMatchObject({ operationId: spec.id });
    }
  });

  it('declares every status that an operation can return', () => {
    for (const { spec } of operations) {
      const declared = Object.keys(
        (document.paths[spec.path]![spec.method.toLowerCase()] as { responses: object }).responses,
      );
      const statuses = problemCodesOf(spec).map((code) => String(problems[code].status));
      expect(declared).toEqual(expect.arrayContaining(statuses));
    }
  });

  it('marks exactly the planned operations, in the first sentence of their descriptions', () => {
    const all = Object.values(document.paths).flatMap((item) => Object.values(item));
    const marked = (all as Record<string, unknown>[]).filter((one) => one['x-status'] === 'preview');
    const planned = plannedOperations().map(({ id }) => id);
    expect(marked.map(({ operationId }) => operationId).sort()).toEqual(planned.sort());
    for (const { description, responses } of marked) {
      expect(description).toMatch(/^Planned: /);
      expect(Object.keys(responses as object)).toContain('501');
    }
  });

  it('describes every operation in more detail than its summary', () => {
    const short = operations.filter(({ spec }) => (spec as OperationSpec).description === undefined);
    expect(short.map(({ spec }) => spec.id)).toEqual([]);
  });

  it.each(Object.keys(problems) as ProblemCode[])('has an example of the problem %s', (code) => {
    const example = problemExample(code, 'https://kinora.dev');
    expect(check(problemSchema, example)).toEqual([]);
    expect(example).toMatchObject({ status: problems[code].status, code, title: problems[code].title });
  });

  it('has an absolute server URL, or a variable for it', () => {
    const [known] = openApiDocument({ apiUrl: 'https://api.example' }).servers;
    expect(known).toEqual({ url: 'https://api.example', description: 'This environment' });
    expect(document.servers[0]).toMatchObject({
      url: '{api_url}',
      variables: { api_url: { default: 'http://127.0.0.1:8787' } },
    });
  });

  it('describes the request for every event type, including its signature', () => {
    expect(Object.keys(document.webhooks).sort()).toEqual([...eventTypeNames].sort());
    for (const [type, { post }] of Object.entries(document.webhooks)) {
      const names = post.parameters.map(({ name }) => name);
      expect(names).toEqual(['webhook-id', 'webhook-timestamp', 'webhook-signature']);
      const { example } = post.requestBody.content['application/json'];
      expect(example.type).toBe(type);
      expect(check(Event, example), type).toEqual([]);
    }
  });

  it('gives every enum a type, and hides defaults of body members, which generators would treat as required', () => {
    const faults: string[] = [];
    const visit = (value: unknown, path: string) => {
      if (typeof value !== 'object' || value === null) return;
      const { enum: values, type, default: initial } = value as Record<string, unknown>;
      if (Array.isArray(values) && type === undefined) faults.push(`${path} has an enum without a type`);
      if (initial !== undefined && path.includes('/schemas/')) faults.push(`${path} has a default`);
      for (const [name, member] of Object.entries(value)) visit(member, `${path}/${name}`);
    };
    visit(document.paths, '/paths');
    visit(document.components.schemas, '/schemas');
    expect(faults).toEqual([]);
  });
});

import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { operations } from '../../contract/index.ts';
import { problems } from '../../contract/kit/errors.ts';
import { plannedOperations } from '../../contract/kit/planned.ts';
import { formats, withoutNames } from '../../toolchain/contract-plugin.ts';
import { openApiDocument, problemCodesOf } from '../../toolchain/openapi/document.ts';

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
    'gives %s examples that its schemas accept',
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

  it('declares every status that an operation can answer', () => {
    for (const { spec } of operations) {
      const declared = Object.keys(
        (document.paths[spec.path]![spec.method.toLowerCase()] as { responses: object }).responses,
      );
      const statuses = problemCodesOf(spec).map((code) => String(problems[code].status));
      expect(declared).toEqual(expect.arrayContaining(statuses));
    }
  });

  it('marks what is planned, first thing in its description, and nothing else', () => {
    const marked = Object.values(document.paths)
      .flatMap((item) => Object.values(item) as Record<string, unknown>[])
      .filter((operation) => operation['x-status'] === 'preview');
    expect(marked.map(({ operationId }) => operationId).sort()).toEqual(
      plannedOperations()
        .map(({ id }) => id)
        .sort(),
    );
    for (const { description, responses } of marked) {
      expect(description).toMatch(/^Planned: /);
      expect(Object.keys(responses as object)).toContain('501');
    }
  });

  it('names each shared schema once', () => {
    expect(Object.keys(document.components.schemas)).toEqual(
      expect.arrayContaining([
        'Asset',
        'AssetInput',
        'AssetPage',
        'Job',
        'Problem',
        'Segment',
        'Transcription',
      ]),
    );
  });
});

/** Reads the responses that the OpenAPI document declares, and checks a response against them. */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { OperationSpec } from '../../contract/kit/operation.ts';
import { formats } from '../../toolchain/generate/validators.ts';
import { openApiDocument } from '../../toolchain/openapi/document.ts';
import type { Answer } from './api.ts';

const document = openApiDocument();
const ajv = new Ajv2020({ strict: false, formats });
ajv.addSchema({ ...document, $id: 'openapi' });

interface Declared {
  readonly $ref?: string;
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly content?: Readonly<Record<string, unknown>>;
}

interface Located {
  readonly response: Declared;
  /** JSON pointer to the response. */
  readonly pointer: string;
}

const responsesOf = ({ path, method }: OperationSpec) =>
  (document.paths[path]![method.toLowerCase()] as { responses: Readonly<Record<string, Declared>> })
    .responses;

/** The statuses below 400 that the document declares. */
export const successesOf = (spec: OperationSpec): number[] =>
  Object.keys(responsesOf(spec))
    .map(Number)
    .filter((status) => status < 400);

/** Optional headers. They depend on the size, on repetition, on the tenant's limits, or on the text. */
const conditional = new Set([
  'Content-Encoding',
  'Vary',
  'Idempotent-Replayed',
  'RateLimit-Policy',
  'RateLimit',
  'Stl-Replaced',
]);

/** Lists the differences between a response and the declared response for its status. */
export function faultsOf(spec: OperationSpec, { status, headers, text, json }: Answer): string[] {
  const found = located(spec, status);
  if (found === undefined) return [`${status} is not declared: ${text}`];
  const { response, pointer } = found;
  const lost = Object.keys(response.headers ?? {}).filter(
    (name) => headers[name] === undefined && !conditional.has(name),
  );
  if (lost.length > 0) return [`${status} lacks ${lost}`];
  if (response.content === undefined) return text === '' ? [] : [`${status} has a body: ${text}`];
  const type = (headers['Content-Type'] ?? '').split(';')[0]!;
  if (response.content[type] === undefined) return [`${status} is of type ${type}`];
  const check = validator(`${pointer}/content/${escaped(type)}/schema`);
  return check(json ?? text) ? [] : [`${status} ${ajv.errorsText(check.errors)}: ${text}`];
}

function located(spec: OperationSpec, status: number): Located | undefined {
  const response = responsesOf(spec)[status];
  if (response === undefined) return undefined;
  const { $ref } = response;
  if ($ref !== undefined) {
    const name = $ref.split('/').at(-1)!;
    return { response: document.components.responses[name] as Declared, pointer: $ref };
  }
  const operation = `#/paths/${escaped(spec.path)}/${spec.method.toLowerCase()}`;
  return { response, pointer: `${operation}/responses/${status}` };
}

const validators = new Map<string, ValidateFunction>();

function validator(pointer: string): ValidateFunction {
  if (!validators.has(pointer)) validators.set(pointer, ajv.compile({ $ref: `openapi${pointer}` }));
  return validators.get(pointer)!;
}

/** RFC 6901 §3, and §6 for URL fragments. */
const escaped = (name: string) => encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'));

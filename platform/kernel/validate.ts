/** Checks a request against the compiled schemas of its operation, and reports all faults at once. */
import { formats, forms } from '../../contract/kit/forms.ts';
import type { CompiledOperation, Validator, ValidatorError } from '../../contract/kit/operation.ts';
import { nearestName } from '../../shared/edit-distance.ts';
import { type Finding, Problem } from '../../shared/problems.ts';
import type { HttpEvent } from './http.ts';

/** The maximum number of faults that a response lists. */
const MAX_FINDINGS = 50;

export interface CheckedRequest {
  readonly params: Record<string, unknown>;
  readonly query: Record<string, unknown>;
  readonly body: unknown;
}

/**
 * Coerces values, adds defaults, and changes ids to lower case. Throws invalid_parameter (400) or validation_failed
 * (422).
 */
export function validate(operation: CompiledOperation, event: HttpEvent, body: unknown): CheckedRequest {
  const params = normalized(event.pathParameters);
  const query = normalized(event.queryStringParameters);
  const findings = [
    ...parameterFindings(operation.validators.params, params),
    ...parameterFindings(operation.validators.query ?? noParameters, query),
  ];
  if (findings.length > 0) {
    throw new Problem('invalid_parameter', summary(findings), { findings: findings.slice(0, MAX_FINDINGS) });
  }
  return { params, query, body: checkedBody(operation, body) };
}

/** All text is NFC, so that a search in one form finds text that was sent in another. */
const normalized = (parameters: HttpEvent['pathParameters']): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(parameters ?? {}).map(([name, value]) => [name, value?.toWellFormed().normalize('NFC')]),
  );

function checkedBody(operation: CompiledOperation, body: unknown): unknown {
  const check = operation.validators.body;
  if (check === undefined) return undefined;
  const document = body === undefined && operation.bodyOptional ? {} : body;
  if (document === undefined) {
    throw new Problem('validation_failed', 'The request has no body. Send a JSON document.', {
      findings: [{ pointer: '', code: 'required', detail: 'Send a JSON document.' }],
    });
  }
  if (check(document)) return document;
  // Errors of `if` are ignored: the errors of its branch describe the faults.
  const findings = (check.errors ?? []).filter(({ keyword }) => keyword !== 'if').map(bodyFinding);
  throw new Problem('validation_failed', summary(findings), { findings: findings.slice(0, MAX_FINDINGS) });
}

/** An operation without query parameters rejects all of them. */
const noParameters: Validator = (data) => {
  const [name] = Object.keys(data as object);
  noParameters.errors =
    name === undefined
      ? null
      : [{ instancePath: '', keyword: 'additionalProperties', params: { additionalProperty: name } }];
  return name === undefined;
};

function parameterFindings(check: Validator | undefined, values: object): Finding[] {
  if (check === undefined || check(values)) return [];
  return (check.errors ?? []).map((error) => ({
    parameter: memberOf(error).join('.'),
    code: codeOf(error),
    detail: sentence(error, 'parameter'),
  }));
}

const bodyFinding = (error: ValidatorError): Finding => ({
  pointer: memberOf(error)
    .map((part) => `/${part.replaceAll('~', '~0').replaceAll('/', '~1')}`)
    .join(''),
  code: codeOf(error),
  detail: sentence(error, 'member'),
});

/** The path of the member that an error is about. It may be a missing or unknown member. */
function memberOf(error: ValidatorError): string[] {
  const path = error.instancePath
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
  const named = error.params.missingProperty ?? error.params.additionalProperty;
  return typeof named === 'string' ? [...path, named] : path;
}

const codes: Readonly<Record<string, string>> = {
  required: 'required',
  additionalProperties: 'unknown_member',
  type: 'wrong_type',
  enum: 'not_allowed',
  const: 'not_allowed',
  format: 'invalid_format',
  pattern: 'invalid_characters',
  minimum: 'too_small',
  exclusiveMinimum: 'too_small',
  maximum: 'too_large',
  exclusiveMaximum: 'too_large',
  minLength: 'too_short',
  maxLength: 'too_long',
  minItems: 'too_few',
  maxItems: 'too_many',
  uniqueItems: 'duplicate',
};

const characters: readonly unknown[] = [forms.line.pattern, forms.text.pattern];

function codeOf({ keyword, params }: ValidatorError): string {
  if (keyword === 'pattern' && !characters.includes(params.pattern)) return 'invalid_format';
  return codes[keyword] ?? 'invalid';
}

const expectedByPattern = new Map<unknown, string>(
  Object.values(forms).map(({ pattern, expected }) => [pattern, expected]),
);

/** The expected form of a text, if known. */
const expectedBy = ({ keyword, params }: ValidatorError): string | undefined =>
  keyword === 'format' ? formats[String(params.format)] : expectedByPattern.get(params.pattern);

/** `words/3` for the fourth item of a list. */
function nameOf(member: readonly string[]): string {
  const last = member.at(-1);
  if (last === undefined) return 'The document';
  return /^\d+$/.test(last) ? member.slice(-2).join('/') : last;
}

function sentence(error: ValidatorError, kind: 'parameter' | 'member'): string {
  const name = nameOf(memberOf(error));
  const { params } = error;
  if (error.keyword === 'required') return `${name} is required.`;
  if (error.keyword === 'additionalProperties') {
    const meant = nearestName(name, Array.isArray(params.known) ? params.known : []);
    return `Unknown ${kind} \`${name}\`.${meant === undefined ? '' : ` Did you mean \`${meant}\`?`}`;
  }
  if (error.keyword === 'enum') {
    return `${name} must be one of ${(params.allowedValues as unknown[]).map(String).join(', ')}.`;
  }
  const expected = expectedBy(error);
  if (expected !== undefined) return `${name} must be ${expected}.`;
  return `${name} ${error.message ?? 'is not valid'}.`;
}

function summary(findings: readonly Finding[]): string {
  const first = findings[0]?.detail ?? 'The request is not valid.';
  const more = findings.length - 1;
  if (more < 1) return first;
  return `${first} See \`errors\` for ${more === 1 ? '1 more finding' : `${more} more findings`}.`;
}

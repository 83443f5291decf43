/** Renders every error as RFC 9457 problem+json. */
import { problems } from '../../contract/kit/errors.ts';
import { isPassing, type ServiceError } from '../../shared/aws-services.ts';
import { JobError } from '../../shared/job-errors.ts';
import { Problem } from '../../shared/problems.ts';
import type { HttpReply } from './http.ts';

export interface ProblemContext {
  readonly siteUrl: string;
  readonly requestId: string;
  /** Request path without its query. */
  readonly path: string;
}

export function renderProblem(error: Problem, context: ProblemContext): HttpReply {
  const { status, title } = problems[error.code];
  const challenge = status === 401 ? { 'WWW-Authenticate': challengeFor(error.code) } : {};
  const body = {
    type: `${context.siteUrl}/problems#${error.code.replaceAll('_', '-')}`,
    title,
    status,
    detail: error.detail,
    instance: context.path,
    code: error.code,
    docs: `${context.siteUrl}/problems`,
    request_id: context.requestId,
    ...(error.findings.length > 0 && { errors: error.findings }),
  };
  return {
    statusCode: status,
    headers: {
      'Content-Type': 'application/problem+json',
      'Cache-Control': 'no-store',
      ...challenge,
      ...error.headers,
    },
    body: JSON.stringify(body),
  };
}

/** Turns any error into a problem. Internal details are not in the problem: the log has them under the request id. */
export function asProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  if (isThrottle(error)) {
    return new Problem('temporarily_unavailable', 'A part of the service is busy.', {
      headers: { 'Retry-After': '2' },
    });
  }
  return new Problem('internal_error', 'The request failed inside the service; nothing was lost.');
}

/** Names of errors for conflicts of transactions. The SDK's list of throttling errors does not contain them. */
const clashes = new Set([
  'TransactionCanceledException',
  'TransactionConflictException',
  'TransactionInProgressException',
]);

function isThrottle(error: unknown): boolean {
  if (error instanceof JobError) return error.code === 'provider_unavailable';
  return error instanceof Error && (clashes.has(error.name) || isPassing(error as ServiceError));
}

/** RFC 6750 §3: no error attribute if the request had no credentials. */
const challengeFor = (code: string) =>
  code === 'missing_credentials' ? 'Bearer realm="kinora"' : 'Bearer realm="kinora", error="invalid_token"';

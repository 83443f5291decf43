/** Applies the CORS rules of a bucket. Source: "Using cross-origin resource sharing" in the S3 user guide. */
import { S3Error } from './errors.ts';
import type { CorsRule } from './options.ts';
import type { S3Request } from './request.ts';

/** The CORS rules of a bucket. Undefined if the bucket does not exist. `cors` is absent if it has no rules. */
export type CorsBucket = { cors?: CorsRule[] } | undefined;

/** Returns the headers for a preflight request. Throws AccessForbidden if no rule allows it. */
export function preflightHeaders(request: S3Request, bucket: CorsBucket): Record<string, string> {
  if (request.header('origin') === undefined) {
    throw new S3Error('BadRequest', 'Insufficient information. Origin request header needed.');
  }
  if (!bucket) throw forbidden(request, 'BUCKET', 'CORSResponse: Bucket not found');
  if (!bucket.cors?.length)
    throw forbidden(request, 'BUCKET', 'CORSResponse: CORS is not enabled for this bucket.');
  if (request.header(methodHeader) === undefined) {
    throw new S3Error('BadRequest', 'Invalid Access-Control-Request-Method: null');
  }
  const headers = corsHeaders(request, bucket);
  if (!headers) throw forbidden(request, request.key === undefined ? 'BUCKET' : 'OBJECT');
  return headers;
}

/** Returns the headers that let a page of another origin read the answer. Undefined if no rule allows this. */
export function corsHeaders(request: S3Request, bucket: CorsBucket): Record<string, string> | undefined {
  const origin = request.header('origin');
  if (origin === undefined) return undefined;
  // Recorded on AWS: if an actual request has the headers of a preflight request, their method and headers are used.
  const method = request.header(methodHeader) ?? request.method;
  const names = headerNames(request.header('access-control-request-headers'));
  const rule = bucket?.cors?.find((each) => allows(each, origin, method, names));
  return rule && allowance(rule, origin, names);
}

const methodHeader = 'access-control-request-method';

function headerNames(list = ''): string[] {
  return list
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== '');
}

function allows(rule: CorsRule, origin: string, method: string, names: string[]): boolean {
  const allowsHeader = (name: string) =>
    (rule.allowedHeaders ?? []).some((pattern) => fits(pattern.toLowerCase(), name));
  return (
    rule.allowedMethods.includes(method) &&
    rule.allowedOrigins.some((pattern) => fits(pattern, origin)) &&
    names.every(allowsHeader)
  );
}

/** Returns the headers of a rule. Recorded on AWS: answers to actual requests also have all of them, even Access-Control-Max-Age. */
function allowance(rule: CorsRule, origin: string, names: string[]): Record<string, string> {
  const isForAll = rule.allowedOrigins.includes('*');
  return {
    'Access-Control-Allow-Origin': isForAll ? '*' : origin,
    ...(!isForAll && { 'Access-Control-Allow-Credentials': 'true' }),
    'Access-Control-Allow-Methods': rule.allowedMethods.join(', '),
    ...(names.length > 0 && { 'Access-Control-Allow-Headers': names.join(', ') }),
    ...(rule.exposedHeaders?.length && { 'Access-Control-Expose-Headers': rule.exposedHeaders.join(', ') }),
    ...(rule.maxAge !== undefined && { 'Access-Control-Max-Age': String(rule.maxAge) }),
    Vary: 'Origin, Access-Control-Request-Headers, Access-Control-Request-Method',
  };
}

/** Whether a pattern matches. S3 allows one `*` in a pattern. */
function fits(pattern: string, text: string): boolean {
  const star = pattern.indexOf('*');
  if (star < 0) return pattern === text;
  const [before, after] = [pattern.slice(0, star), pattern.slice(star + 1)];
  return text.length >= before.length + after.length && text.startsWith(before) && text.endsWith(after);
}

function forbidden(request: S3Request, resourceType: 'BUCKET' | 'OBJECT', message?: string): S3Error {
  return new S3Error('AccessForbidden', message, {
    Method: request.header(methodHeader) ?? request.method,
    ResourceType: resourceType,
  });
}

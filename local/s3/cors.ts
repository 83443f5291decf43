/** Cross-origin access by a bucket's CORS rules. */

import { S3Error } from './errors.ts';
import type { CorsRule } from './options.ts';
import type { S3Request } from './request.ts';

/** Headers of the answer to a preflight request; throws AccessForbidden where no rule allows it. */
export function preflightHeaders(request: S3Request, rules: CorsRule[] | undefined): Record<string, string> {
  const origin = request.header('origin');
  const method = request.header('access-control-request-method');
  if (origin === undefined) {
    throw new S3Error('BadRequest', 'Insufficient information. Origin request header needed.');
  }
  if (method === undefined) throw new S3Error('BadRequest', 'Invalid Access-Control-Request-Method: null');
  if (!rules?.length)
    throw new S3Error('AccessForbidden', 'CORSResponse: CORS is not enabled for this bucket.');

  const names = (request.header('access-control-request-headers') ?? '')
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== '');
  const rule = rules.find(
    (each) => allows(each, origin, method) && names.every((name) => allowsHeader(each, name)),
  );
  if (!rule) throw new S3Error('AccessForbidden', undefined, { Method: method, ResourceType: 'OBJECT' });
  return {
    ...allowance(rule, origin),
    ...(names.length > 0 && { 'Access-Control-Allow-Headers': names.join(', ') }),
    ...(rule.maxAge !== undefined && { 'Access-Control-Max-Age': String(rule.maxAge) }),
  };
}

/** Headers that let a page of another origin read the answer; none where no rule allows it. */
export function corsHeaders(request: S3Request, rules: CorsRule[] | undefined): Record<string, string> {
  const origin = request.header('origin');
  if (origin === undefined) return {};
  const rule = rules?.find((each) => allows(each, origin, request.method));
  return rule ? allowance(rule, origin) : {};
}

function allowance(rule: CorsRule, origin: string): Record<string, string> {
  const isForAll = rule.allowedOrigins.includes('*');
  return {
    'Access-Control-Allow-Origin': isForAll ? '*' : origin,
    ...(!isForAll && { 'Access-Control-Allow-Credentials': 'true' }),
    'Access-Control-Allow-Methods': rule.allowedMethods.join(', '),
    ...(rule.exposedHeaders?.length && { 'Access-Control-Expose-Headers': rule.exposedHeaders.join(', ') }),
    Vary: 'Origin, Access-Control-Request-Headers, Access-Control-Request-Method',
  };
}

function allows(rule: CorsRule, origin: string, method: string): boolean {
  return rule.allowedMethods.includes(method) && rule.allowedOrigins.some((pattern) => fits(pattern, origin));
}

function allowsHeader(rule: CorsRule, name: string): boolean {
  return (rule.allowedHeaders ?? []).some((pattern) => fits(pattern.toLowerCase(), name));
}

/** S3 allows one `*` in a pattern. */
function fits(pattern: string, text: string): boolean {
  const star = pattern.indexOf('*');
  if (star < 0) return pattern === text;
  const [before, after] = [pattern.slice(0, star), pattern.slice(star + 1)];
  return text.length >= before.length + after.length && text.startsWith(before) && text.endsWith(after);
}

/** Implements CORS like an HTTP API with a CorsConfiguration: the gateway answers preflight requests, and replaces the CORS headers of functions. */
import type { ApiCors } from '../template/compute.ts';
import type { HttpAnswer } from './response.ts';

/** Returns the answer to a preflight request: 204, without CORS headers if the origin is not allowed. Undefined for other requests. */
export function preflightAnswer(
  cors: ApiCors,
  method: string,
  origin: string | undefined,
  requestedMethod: string | undefined,
): HttpAnswer | undefined {
  if (method !== 'OPTIONS' || !origin || !requestedMethod) return undefined;
  const allowed = allowOrigin(cors, origin);
  const headers: [string, string][] = allowed
    ? [
        ...allowed,
        ['access-control-allow-methods', cors.allowMethods.join(',')],
        ['access-control-allow-headers', cors.allowHeaders.join(',')],
        ...(cors.maxAgeSeconds === undefined
          ? []
          : [['access-control-max-age', String(cors.maxAgeSeconds)] as [string, string]]),
      ]
    : [];
  return { statusCode: 204, headers: headers.filter(([, value]) => value !== ''), body: Buffer.alloc(0) };
}

/** Replaces the CORS headers of an answer. API Gateway "ignores CORS headers returned from your backend integration" (developer guide). */
export function withCors(cors: ApiCors, origin: string | undefined, answer: HttpAnswer): HttpAnswer {
  const own = answer.headers.filter(([name]) => !name.startsWith('access-control-'));
  const allowed = origin ? allowOrigin(cors, origin) : undefined;
  if (!allowed) return { ...answer, headers: own };
  const exposed: [string, string][] =
    cors.exposeHeaders.length > 0 ? [['access-control-expose-headers', cors.exposeHeaders.join(',')]] : [];
  return { ...answer, headers: [...own, ...allowed, ...exposed] };
}

function allowOrigin(cors: ApiCors, origin: string): [string, string][] | undefined {
  const everyone = cors.allowOrigins.includes('*');
  const allowed = everyone || cors.allowOrigins.some((pattern) => matches(pattern, origin));
  if (!allowed) return undefined;
  return [
    ['access-control-allow-origin', everyone ? '*' : origin],
    ...(cors.allowCredentials ? [['access-control-allow-credentials', 'true'] as [string, string]] : []),
    ...(everyone ? [] : [['vary', 'origin'] as [string, string]]),
  ];
}

/** Whether a pattern allows an origin. `https://*` and `http://*` allow all origins with this scheme. */
function matches(pattern: string, origin: string): boolean {
  return pattern.endsWith('://*') ? origin.startsWith(pattern.slice(0, -1)) : pattern === origin;
}

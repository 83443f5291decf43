/** HTTP API events (payload format 2.0) for tests of handlers. */
import type { HttpEvent } from '../../platform/kernel/http.ts';

export interface EventInput {
  readonly route: string;
  /** Default: the permissions of the route. */
  readonly method?: string;
  readonly path?: string;
  readonly params?: Record<string, string>;
  readonly query?: Record<string, string>;
  readonly headers?: Record<string, string>;
  readonly body?: unknown;
  readonly rawBody?: string;
}

export function httpEvent({
  route,
  method: asked,
  path,
  params = {},
  query,
  headers = {},
  body,
  rawBody,
}: EventInput): HttpEvent {
  const [routed = 'GET', template = '/'] = route.split(' ');
  const method = asked ?? routed;
  const rawPath =
    path ?? template.replace(/\{([a-z_]+)\}/g, (_, name) => encodeURIComponent(params[name] ?? ''));
  const text = rawBody ?? (body === undefined ? undefined : JSON.stringify(body));
  return {
    version: '2.0',
    routeKey: route,
    rawPath,
    rawQueryString: new URLSearchParams(query).toString(),
    headers: { ...(text !== undefined && { 'content-type': 'application/json' }), ...headers },
    ...(query && { queryStringParameters: query }),
    pathParameters: params,
    ...(text !== undefined && { body: text }),
    isBase64Encoded: false,
    requestContext: { requestId: 'request-1', http: { method, path: rawPath } },
  };
}

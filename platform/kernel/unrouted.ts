/** Responds to requests without a route: 404, or 405 with Allow if the path exists with other methods. */
import { routes } from '../../build/contract/routes.js';
import type { Route } from '../../contract/kit/routes.ts';
import { Problem } from '../../shared/problems.ts';
import { environment } from '../runtime/environment.ts';
import { logWithMetrics } from '../runtime/log.ts';
import type { HttpEvent, HttpReply } from './http.ts';
import { answering, methodNotAllowed } from './methods.ts';
import { renderProblem } from './problem.ts';

/** `/v1/assets/{asset_id}` as a regular expression for whole paths. */
function expressionOf({ path }: Route): RegExp {
  const pattern = path
    .replaceAll('.', '\\.')
    .replace(/\{[a-z_]+\}/g, '[^/]+')
    .replace(/\{[a-z_]+\+\}/, '.+');
  return new RegExp(`^${pattern}/?$`, 's');
}

const table = routes.map((route) => ({ ...route, expression: expressionOf(route) }));

export function unrouted(event: HttpEvent): HttpReply {
  const { method } = event.requestContext.http;
  const requestId = event.requestContext.requestId;
  const allowed = table
    .filter(({ expression }) => expression.test(event.rawPath))
    .map((route) => route.method);
  const problem =
    allowed.length > 0 && !allowed.includes(answering(method))
      ? methodNotAllowed(event.rawPath, method, allowed)
      : new Problem('route_not_found', `There is no ${method} ${event.rawPath}.`);
  const reply = renderProblem(problem, { siteUrl: environment.siteUrl, requestId, path: event.rawPath });
  logWithMetrics('request', [{ name: 'Requests', unit: 'Count', value: 1 }], {
    operation: 'none',
    request_id: requestId,
    status: reply.statusCode,
    code: problem.code,
  });
  return {
    ...reply,
    headers: { ...reply.headers, 'X-Request-Id': requestId, 'X-Content-Type-Options': 'nosniff' },
  };
}

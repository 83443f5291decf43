/**
 * The public, interactive API reference: its page, the files of the page and the OpenAPI document. The build copies
 * these files beside the bundle (toolchain/bundle/reference.ts).
 */
import { join } from 'node:path';
import type { HttpEvent, HttpReply } from '../../../platform/kernel/http.ts';
import { renderProblem } from '../../../platform/kernel/problem.ts';
import { ShippedFiles } from '../../../platform/kernel/shipped-files.ts';
import { environment } from '../../../platform/runtime/environment.ts';
import { logWithMetrics } from '../../../platform/runtime/log.ts';
import { Problem } from '../../../shared/problems.ts';

const { siteUrl, apiUrl } = environment;
const files = new ShippedFiles(join(import.meta.dirname, 'files'), { site_url: siteUrl, api_url: apiUrl });
const methods = ['GET', 'HEAD'];

/** Swagger UI sets styles through the DOM, which `style-src` allows, and loads its arrows from `data:`. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

export const handler = async (event: HttpEvent): Promise<HttpReply> => {
  const { requestId } = event.requestContext;
  const reply = answerTo(event);
  logWithMetrics('request', [{ name: 'Requests', unit: 'Count', value: 1 }], {
    operation: 'reference',
    request_id: requestId,
    status: reply.statusCode,
  });
  return {
    ...reply,
    headers: {
      ...reply.headers,
      'X-Request-Id': requestId,
      'X-Content-Type-Options': 'nosniff',
      'X-Frame-Options': 'DENY',
      'Referrer-Policy': 'no-referrer',
      'Content-Security-Policy': contentSecurityPolicy,
    },
  };
};

/** HEAD returns the reply of GET. API Gateway removes the body and keeps its length. */
function answerTo({ rawPath, headers = {}, requestContext }: HttpEvent): HttpReply {
  const { requestId, http } = requestContext;
  const context = { siteUrl, requestId, path: rawPath };
  if (!methods.includes(http.method)) {
    const detail = `${rawPath} allows ${methods.join(', ')}, not ${http.method}.`;
    return renderProblem(
      new Problem('method_not_allowed', detail, { headers: { Allow: methods.join(', ') } }),
      context,
    );
  }
  return (
    files.reply(rawPath, headers) ??
    renderProblem(new Problem('route_not_found', `There is no ${http.method} ${rawPath}.`), context)
  );
}

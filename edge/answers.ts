/**
 * Answers of viewer-request that need no object. CloudFront does not run viewer-response on these answers, and does not add the response
 * headers policy. So the code here sets all headers.
 */
import { originOf } from './access.ts';
import type { Request, Response, Value } from './event.ts';

export const methods = 'GET, HEAD, OPTIONS';
/** The Vary header of all answers that depend on negotiation. */
export const negotiated = 'Accept, Accept-Encoding';

const value = (text: string): Value => ({ value: text });

function answer(statusCode: number, statusDescription: string): Response {
  return {
    statusCode: statusCode,
    statusDescription: statusDescription,
    headers: {
      'strict-transport-security': value('max-age=63072000; includeSubDomains'),
      'x-content-type-options': value('nosniff'),
    },
  };
}

export function redirect(path: string, request: Request): Response {
  const moved = answer(301, 'Moved Permanently');
  // Uses the origin of the environment, so that no redirect leads to another host.
  moved.headers.location = value(originOf(request) + path + queryOf(request));
  moved.headers['cache-control'] = value('public, max-age=3600');
  return moved;
}

/** Returns the query as the viewer sent it, with its `?`. If the event has only parsed parameters, joins them again. */
function queryOf(request: Request): string {
  if (request.rawQueryString) {
    const raw = request.rawQueryString();
    return raw ? `?${raw}` : '';
  }
  const pairs: string[] = [];
  Object.keys(request.querystring).forEach((name) => {
    const entry = request.querystring[name]!;
    (entry.multiValue || [entry]).forEach((one) => {
      pairs.push(one.value === '' ? name : `${name}=${one.value}`);
    });
  });
  return pairs.length > 0 ? `?${pairs.join('&')}` : '';
}

export function options(): Response {
  const none = answer(204, 'No Content');
  none.headers.allow = value(methods);
  return none;
}

interface Told {
  readonly status: number;
  readonly code: string;
  readonly title: string;
  readonly detail: string;
}

/** A problem document of RFC 9457, with the members that the site adds. */
function problem(request: Request, told: Told): Response {
  const problems = `${originOf(request)}/problems`;
  const refused = answer(told.status, told.title);
  const headers = refused.headers;
  headers['content-type'] = value('application/problem+json');
  headers['cache-control'] = value('no-store');
  headers['content-security-policy'] = value("default-src 'none'; frame-ancestors 'none'");
  headers.vary = value(negotiated);
  refused.body = JSON.stringify({
    type: `${problems}#${told.code.replace(/_/g, '-')}`,
    title: told.title,
    status: told.status,
    detail: told.detail,
    instance: request.uri,
    code: told.code,
    docs: problems,
  });
  return refused;
}

export function previewRestricted(request: Request): Response {
  const detail = `This host is not public. The public one is ${originOf(request)}; a preview opens with its access cookie or header.`;
  const refused = problem(request, {
    status: 403,
    code: 'preview_restricted',
    title: EDGE.previewRestricted,
    detail: detail,
  });
  refused.headers['x-robots-tag'] = value('noindex');
  return refused;
}

export function noApiOnThisHost(request: Request): Response {
  const detail = `This host is a website. ${originOf(request)}/.well-known/api-catalog describes the product API at ${EDGE.apiUrl}.`;
  return problem(request, {
    status: 404,
    code: 'no_api_on_this_host',
    title: EDGE.noApiOnThisHost,
    detail: detail,
  });
}

export function methodNotAllowed(request: Request): Response {
  const detail = `This host only reads; ${request.method} is none of ${methods}.`;
  const refused = problem(request, {
    status: 405,
    code: 'method_not_allowed',
    title: EDGE.methodNotAllowed,
    detail: detail,
  });
  refused.headers.allow = value(methods);
  return refused;
}

export function pageNotFound(request: Request): Response {
  const detail = `There is no page at this path. ${originOf(request)}/llms.txt and ${originOf(request)}/v1/pages.json list every page.`;
  return problem(request, { status: 404, code: 'page_not_found', title: EDGE.pageNotFound, detail: detail });
}

/**
 * @param page path of the page
 * @param twin path of the page's Markdown version
 */
export function notAcceptable(page: string, twin: string, request: Request): Response {
  const detail = `Accept excludes both representations: text/html at ${originOf(request)}${page} and text/markdown at ${originOf(request)}${twin}.`;
  return problem(request, { status: 406, code: 'not_acceptable', title: EDGE.notAcceptable, detail: detail });
}

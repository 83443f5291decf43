/**
 * CloudFront's viewer-request function. It answers requests that need no object, and rewrites the other paths to the
 * key of a variant.
 */
import { hostOf, mayRead } from './access.ts';
import {
  methodNotAllowed,
  noApiOnThisHost,
  notAcceptable,
  options,
  pageNotFound,
  previewRestricted,
  redirect,
} from './answers.ts';
import { encodingFor } from './encoding.ts';
import type { Request, RequestEvent, Response } from './event.ts';
import { choose, parseAccept } from './negotiation.ts';
import {
  canonicalOf,
  catalog,
  errorObject,
  hasCompressedVariants,
  isAlternateHost,
  isAsset,
  isResource,
  mayBeFormerAsset,
  normalise,
  pageObject,
  pageOfTwin,
  twinOf,
} from './paths.ts';
import { rootObject } from './root.ts';

const html = 'text/html';
const markdown = 'text/markdown';
const problemJson = 'application/problem+json';

/** Tests the conditions in order. The first condition that is true decides the answer. Never throws. */
export function answerViewer(event: RequestEvent): Request | Response {
  const request = event.request;
  if (request.uri === rootObject) request.uri = '/';
  const path = normalise(request.uri);
  const isAlternate = isAlternateHost(hostOf(request));

  if (path !== catalog && !mayRead(request, isAlternate)) return previewRestricted(request);
  if (path === '/api' || path.indexOf('/api/') === 0) return noApiOnThisHost(request);

  const canonical = canonicalOf(path);
  if (isAlternate) return redirect(canonical || path, request);
  if (request.method === 'OPTIONS') return options();
  if (request.method !== 'GET' && request.method !== 'HEAD') return methodNotAllowed(request);
  if (canonical && canonical !== request.uri) return redirect(canonical, request);
  if (canonical) return known(canonical, request);
  return isAsset(request.uri) ? request : unknown(path, request);
}

function known(path: string, request: Request): Request | Response {
  if (isResource(path)) return rewrite(request, path, hasCompressedVariants(path));
  const page = pageOfTwin(path);
  if (page) return rewrite(request, `${pageObject(page)}.md`, true);

  const type = preferred(request, [html, markdown]);
  if (!type) return notAcceptable(path, twinOf(path), request);
  const object = pageObject(path);
  return type === markdown
    ? rewrite(request, `${object}.md`, true)
    : rewrite(request, `${object}.html`, false);
}

function unknown(path: string, request: Request): Request | Response {
  const type = /\.md$/.test(path) ? markdown : preferred(request, [html, markdown, problemJson]);
  if (type === problemJson) return pageNotFound(request);
  if (type !== markdown && mayBeFormerAsset(request.uri)) return request;
  // Without these headers, the origin answers with 200. With them, the 404 page could become 304, 412 or 206.
  conditions.forEach((name) => {
    delete request.headers[name];
  });
  const object = errorObject(path);
  return type === markdown
    ? rewrite(request, `${object}.md`, true)
    : rewrite(request, `${object}.html`, false);
}

const conditions = [
  'if-match',
  'if-none-match',
  'if-modified-since',
  'if-unmodified-since',
  'if-range',
  'range',
];

const preferred = (request: Request, offers: string[]): string | undefined =>
  choose(parseAccept(field(request, 'accept')), offers);

/** Returns all lines of a header, joined (RFC 9110 §5.3). Empty if the header is absent. */
function field(request: Request, name: string): string {
  const header = request.headers[name];
  if (!header) return '';
  return header.multiValue ? header.multiValue.map((line) => line.value).join(',') : header.value;
}

/** Sets the key of the object. For stored compressed variants, adds the suffix of the coding to the key. */
function rewrite(request: Request, uri: string, isEncoded: boolean): Request {
  request.uri = isEncoded ? uri + encodingFor(field(request, 'accept-encoding')) : uri;
  return request;
}

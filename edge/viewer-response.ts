/**
 * CloudFront's viewer-response function. It adds the headers that S3 cannot store with an object. It runs only for a
 * status below 400.
 */
import { originOf } from './access.ts';
import { negotiated } from './answers.ts';
import type { Response, ResponseEvent, Value } from './event.ts';
import { catalog, isPage, pageOfTwin, twinOf } from './paths.ts';

const statusHeader = 'x-amz-meta-edge-status';

export function completeResponse(event: ResponseEvent): Response {
  const response = event.response;
  const headers = response.headers;
  const uri = event.request.uri;
  const isError = headers[statusHeader] !== undefined;
  const page = isError ? undefined : pageOf(uri);

  if (isError) {
    response.statusCode = Number(headers[statusHeader]!.value);
    response.statusDescription = 'Not Found';
    delete headers[statusHeader];
  }
  headers.vary = value(page || isError || uri.indexOf(catalog) === 0 ? negotiated : 'Accept-Encoding');
  if (headers['cache-control']) headers['cache-control'] = value(forViewers(headers['cache-control'].value));
  if (!EDGE.isPublic) headers['x-robots-tag'] = value('noindex');

  const origin = originOf(event.request);
  const links = [
    link(origin, '/v1/openapi.json', 'service-desc', 'type="application/json"'),
    link(origin, '/llms.txt', 'describedby', 'type="text/plain"'),
    link(origin, catalog, 'api-catalog', 'type="application/linkset+json"'),
  ];
  headers.link = value(
    (page ? linksOf(origin, page, isMarkdown(uri, headers)) : []).concat(links).join(', '),
  );
  return response;
}

const value = (text: string): Value => ({ value: text });

/**
 * Returns the page of a URI. The guide does not say whether viewer-response sees the viewer's path or the key from
 * viewer-request, so this accepts both.
 */
function pageOf(uri: string): string | undefined {
  const key = /^\/pages(\/.*)\.(?:html|md(?:\.br|\.gz)?)$/.exec(uri);
  if (key) return key[1] === '/index' ? '/' : key[1];
  return isPage(uri) ? uri : pageOfTwin(uri);
}

function isMarkdown(uri: string, headers: Response['headers']): boolean {
  const type = headers['content-type'];
  // An answer with status 304 has no content type.
  return type ? type.value.indexOf('text/markdown') === 0 : /\.md(\.br|\.gz)?$/.test(uri);
}

function linksOf(origin: string, page: string, isTwin: boolean): string[] {
  const other = isTwin
    ? link(origin, page, 'alternate', 'type="text/html"')
    : link(origin, twinOf(page), 'alternate', 'type="text/markdown"');
  return [other, `<${origin}${page}>; rel="canonical"`];
}

const link = (origin: string, path: string, relation: string, attribute: string): string =>
  `<${origin}${path}>; rel="${relation}"; ${attribute}`;

/** Removes `s-maxage`, which is only for CloudFront: invalidations do not reach other shared caches. */
const forViewers = (cacheControl: string): string => cacheControl.replace(/,? *s-maxage=\d+/, '');

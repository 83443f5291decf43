/** The event that API Gateway passes to a Lambda for a request: payload format 2.0 of HTTP APIs. */
import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** The fields of the example event in the developer guide. As in the example, optional fields are absent if they are empty. */
export type HttpEvent = {
  version: '2.0';
  routeKey: string;
  rawPath: string;
  rawQueryString: string;
  cookies?: string[];
  headers: Record<string, string>;
  queryStringParameters?: Record<string, string>;
  pathParameters?: Record<string, string>;
  requestContext: {
    accountId: string;
    apiId: string;
    domainName: string;
    domainPrefix: string;
    http: { method: string; path: string; protocol: string; sourceIp: string; userAgent: string };
    requestId: string;
    routeKey: string;
    stage: string;
    time: string;
    timeEpoch: number;
  };
  body?: string;
  isBase64Encoded: boolean;
};

export type RequestTarget = { path: string; query: string };

/**
 * Splits the target of a request into path and query. API Gateway decodes the path twice before it selects a route. Functions get
 * the decoded path, also in `rawPath`. If the path contains a `?` after the first decoding, API Gateway cuts the path there.
 * Returns undefined if the target is not a path or cannot be decoded: API Gateway answers 400.
 *
 * The developer guide says only that parameters are decoded. The other facts were recorded in July 2026:
 * vokerhttp/testdata/ingress-paths.json of github.com/hotsock/voker.
 */
export function readTarget(url: string): RequestTarget | undefined {
  const mark = url.indexOf('?');
  const encoded = mark < 0 ? url : url.slice(0, mark);
  if (!encoded.startsWith('/')) return undefined;
  try {
    const once = decodeURIComponent(encoded).replace(/\?.*$/s, '');
    return { path: decodeURIComponent(once), query: mark < 0 ? '' : url.slice(mark + 1) };
  } catch {
    return undefined;
  }
}

export type EventParts = {
  request: IncomingMessage;
  target: RequestTarget;
  routeKey: string;
  pathParameters: Record<string, string>;
  body: Buffer;
  accountId: string;
  nowMs: number;
};

export function toEvent({
  request,
  target,
  routeKey,
  pathParameters,
  body,
  accountId,
  nowMs,
}: EventParts): HttpEvent {
  const { headers, cookies } = readHeaders(request);
  const domainName = headers.host ?? '';
  const query = readQuery(target.query);
  const isText = TEXT_TYPES.test(headers['content-type'] ?? '');
  return {
    version: '2.0',
    routeKey,
    rawPath: target.path,
    rawQueryString: target.query,
    ...(cookies.length > 0 ? { cookies } : {}),
    headers,
    ...(Object.keys(query).length > 0 ? { queryStringParameters: query } : {}),
    ...(Object.keys(pathParameters).length > 0 ? { pathParameters } : {}),
    requestContext: {
      accountId,
      apiId: 'local',
      domainName,
      domainPrefix: domainName.split('.')[0] ?? '',
      http: {
        method: request.method ?? 'GET',
        path: target.path,
        protocol: `HTTP/${request.httpVersion}`,
        sourceIp: request.socket.remoteAddress ?? '',
        userAgent: headers['user-agent'] ?? '',
      },
      // Request ids of API Gateway have this form: 12 bytes in base64.
      requestId: randomBytes(12).toString('base64'),
      routeKey,
      stage: '$default',
      time: commonLogTime(nowMs),
      timeEpoch: nowMs,
    },
    ...(body.length > 0 ? { body: body.toString(isText ? 'utf8' : 'base64') } : {}),
    isBase64Encoded: body.length > 0 && !isText,
  };
}

/**
 * Bodies of these types are passed as text, and all others as base64, including form data and bodies without a type. The guide does
 * not say this. It was measured on a real HTTP API in ministackorg/ministack#766.
 */
const TEXT_TYPES = /^(text\/|application\/(json|xml|javascript)\s*(;|$))/i;

/** Returns the headers, with names in lower case and repeated headers joined by commas. Cookies are separate. */
function readHeaders(request: IncomingMessage) {
  const headers: Record<string, string> = Object.create(null);
  const cookies: string[] = [];
  for (const [name, values = []] of Object.entries(request.headersDistinct)) {
    if (name === 'cookie') cookies.push(...values.flatMap((value) => value.split(/;\s*/)));
    else if (!hopByHop.has(name)) headers[name] = values.join(',');
  }
  const sourceIp = request.socket.remoteAddress ?? '';
  headers['x-forwarded-for'] = [headers['x-forwarded-for'], sourceIp].filter(Boolean).join(', ');
  headers['x-forwarded-port'] = String(request.socket.localPort);
  headers['x-forwarded-proto'] = 'http';
  headers['x-amzn-trace-id'] ??= traceId();
  headers['content-length'] ??= '0';
  return { headers: { ...headers }, cookies };
}

/** Headers for the connection, which a proxy does not forward (RFC 9110 §7.6.1). */
const hopByHop = new Set([
  'connection',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'expect',
]);

function readQuery(query: string): Record<string, string> {
  const values = new Map<string, string[]>();
  for (const [name, value] of new URLSearchParams(query)) {
    values.set(name, [...(values.get(name) ?? []), value]);
  }
  return Object.fromEntries([...values].map(([name, all]) => [name, all.join(',')]));
}

/** Returns a trace id as in the X-Ray developer guide: `Root=1-<seconds since the epoch in hex>-<96 bits>`. */
function traceId(): string {
  const seconds = Math.floor(Date.now() / 1000).toString(16);
  return `Root=1-${seconds}-${randomBytes(12).toString('hex')}`;
}

/** Formats a time as `12/Mar/2020:19:03:58 +0000`. */
function commonLogTime(ms: number): string {
  const [, day, month, year, time] = new Date(ms).toUTCString().split(' ');
  return `${day}/${month}/${year}:${time} +0000`;
}

/** A request as API Gateway passes it to a Lambda: payload format 2.0 of HTTP APIs. */
import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** The fields of the developer guide's example event; optional fields are absent if they are empty, as in the example. */
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
 * Splits the request target. API Gateway decodes the path twice before it selects a route. Functions get the decoded
 * path, also in `rawPath`. If the first decoding reveals a `?`, API Gateway cuts the path there. Undefined for a
 * target that is not a path or cannot be decoded: API Gateway answers 400.
 *
 * The developer guide says only that parameters are decoded. The other facts are from live captures of July 2026:
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
      // The form of API Gateway's request ids: 12 bytes, base64.
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
 * Bodies of these types arrive as text. All others arrive as base64, also form data and bodies without a type. The
 * guide does not say this: it was measured on a real HTTP API in ministackorg/ministack#766.
 */
const TEXT_TYPES = /^(text\/|application\/(json|xml|javascript)\s*(;|$))/i;

/** Names in lower case, repeated headers joined with commas, cookies apart from the other headers. */
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

/** RFC 9110 §7.6.1: these headers are meant for the connection, and a proxy does not pass them on. */
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

/** `Root=1-<seconds since the epoch in hex>-<96 bits>`, the X-Ray developer guide. */
function traceId(): string {
  const seconds = Math.floor(Date.now() / 1000).toString(16);
  return `Root=1-${seconds}-${randomBytes(12).toString('hex')}`;
}

/** `12/Mar/2020:19:03:58 +0000` */
function commonLogTime(ms: number): string {
  const [, day, month, year, time] = new Date(ms).toUTCString().split(' ');
  return `${day}/${month}/${year}:${time} +0000`;
}

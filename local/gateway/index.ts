/** API Gateway: an HTTP server that passes requests to Lambdas. The template contains its routes. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Outcome } from '../lambda/index.ts';
import { type HeldPort, type Listening, listen } from '../listen.ts';
import { createOwnServer } from '../own-host.ts';
import type { Api, RouteView } from '../template/compute.ts';
import { preflightAnswer, withCors } from './cors.ts';
import { readTarget, toEvent } from './event.ts';
import { gatewayAnswer, type HttpAnswer, toAnswer } from './response.ts';
import { createRouter } from './routes.ts';

export type GatewayOptions = {
  port: number | HeldPort;
  api: Api;
  accountId: string;
  invoke: (functionName: string, payload: string) => Promise<Outcome>;
  /** Prefixes of paths that no Lambda answers, such as static pages. */
  mounts?: Mount[];
  now?: () => number;
};

export type Mount = {
  /** The prefix, with a slash at both ends: `/docs/`. */
  prefix: string;
  handle: (request: IncomingMessage, response: ServerResponse) => void;
};

/** The quota "Payload size" of HTTP APIs. */
const BODY_LIMIT_BYTES = 10 * 1024 * 1024;

/** The quota "Total combined size of request line and header values". */
const HEAD_LIMIT_BYTES = 10_240;

const badRequest = gatewayAnswer(400, 'Bad Request');
const notFound = gatewayAnswer(404, 'Not Found');
const tooLong = gatewayAnswer(413, 'Request Too Long');
const internalError = gatewayAnswer(500, 'Internal Server Error');
const unavailable = gatewayAnswer(503, 'Service Unavailable');

/** Starts the server. Resolves when it answers. Throws if the port is used. */
export async function startGateway(options: GatewayOptions): Promise<Listening> {
  const { api, accountId, invoke, mounts = [], now = Date.now } = options;
  const route = createRouter<RouteView>(api.routes);

  async function answerTo(request: IncomingMessage): Promise<HttpAnswer> {
    const target = readTarget(request.url ?? '');
    if (!target) return badRequest;
    const matched = route(request.method ?? '', target.path);
    if (!matched) return notFound;
    const body = await readBody(request);
    if (!body) return tooLong;
    const { routeKey, functionName, timeoutMs } = matched.route;
    const { pathParameters } = matched;
    const event = toEvent({ request, target, routeKey, pathParameters, body, accountId, nowMs: now() });
    const outcome = await within(timeoutMs, invoke(functionName, JSON.stringify(event)));
    if (!outcome) return unavailable;
    if ('payload' in outcome) return toAnswer(outcome.payload) ?? internalError;
    // A body of 6 to 10 MB is within the limit of the gateway, but over the limit of Lambda.
    return outcome.error.errorType === 'RequestEntityTooLargeException' ? tooLong : internalError;
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const mount = mounts.find(({ prefix }) => request.url?.startsWith(prefix));
    if (mount) return mount.handle(request, response);
    const { origin, 'access-control-request-method': requestedMethod } = request.headers;
    const preflight = api.cors && preflightAnswer(api.cors, request.method ?? '', origin, requestedMethod);
    const answer = preflight ?? (await answerTo(request));
    send(response, api.cors && !preflight ? withCors(api.cors, origin, answer) : answer);
  }

  const server = createOwnServer({ maxHeaderSize: HEAD_LIMIT_BYTES }, (request, response) => {
    handle(request, response).catch((error: unknown) => {
      console.error(error);
      send(response, internalError);
    });
  });
  return listen(server, options.port);
}

/**
 * Reads the body. Returns undefined if it is longer than the limit. It then reads and drops some of the rest, because a client that
 * still writes could not read the error if the connection ended.
 */
async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > 10 * BODY_LIMIT_BYTES) break;
    if (size <= BODY_LIMIT_BYTES) chunks.push(chunk);
  }
  return size <= BODY_LIMIT_BYTES ? Buffer.concat(chunks) : undefined;
}

/** Returns the result of the work. Undefined after the time limit: the gateway then stops waiting, but the function continues. */
async function within<Value>(ms: number, work: Promise<Value>): Promise<Value | undefined> {
  const time = Promise.withResolvers<undefined>();
  const timer = setTimeout(time.resolve, ms, undefined);
  try {
    return await Promise.race([work, time.promise]);
  } finally {
    clearTimeout(timer);
  }
}

function send(response: ServerResponse, { statusCode, headers, body }: HttpAnswer): void {
  if (response.headersSent) return void response.destroy();
  // The rest of the body is still on the connection and will not be read.
  if (!response.req.complete) response.setHeader('connection', 'close');
  for (const [name, value] of headers) response.appendHeader(name, value);
  const hasNoBody = statusCode === 204 || statusCode === 304;
  if (!hasNoBody) response.setHeader('content-length', body.length);
  response.writeHead(statusCode).end(hasNoBody ? undefined : body);
}

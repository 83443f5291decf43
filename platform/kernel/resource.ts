/**
 * Makes the Lambdas of the API. All of them pass through authentication, scopes, validation and error rendering here, so
 * that no Lambda can skip a check.
 */
import middy, { type Request as MiddyRequest } from '@middy/core';
import type { CompiledOperation, Input, Reply, ReplyHeaders } from '../../contract/kit/operation.ts';
import type { ApiKey } from '../../shared/api-keys.ts';
import { defined } from '../../shared/checked-access.ts';
import type { TenantId } from '../../shared/ids.ts';
import { Problem } from '../../shared/problems.ts';
import type { Limits } from '../../shared/usage.ts';
import { clock } from '../runtime/clock.ts';
import { apiKeyTable, ephemeralTable } from '../runtime/dynamodb.ts';
import { environment } from '../runtime/environment.ts';
import { describeError, log, logWithMetrics } from '../runtime/log.ts';
import { Authenticator, authorize } from './authenticate.ts';
import { readJsonBody } from './body.ts';
import { deliverPublished } from './deliver-events.ts';
import { requireEdge } from './edge-only.ts';
import type { HttpEvent, HttpReply } from './http.ts';
import { claim } from './idempotency.ts';
import { answering, methodNotAllowed } from './methods.ts';
import { asProblem, renderProblem } from './problem.ts';
import { countRequest } from './rate-limit.ts';
import { represented, versionOf } from './representation.ts';
import { validate } from './validate.ts';

/** The context of a request, in addition to its input. */
export interface Caller {
  readonly tenant: TenantId;
  readonly keyId: string;
  readonly now: Date;
  /** Id for the resource that the request creates. A repeated request gets the same id. */
  readonly newResourceId: string;
  readonly newId: () => string;
  /** Value of If-Match without quotes, if the request has one. */
  readonly ifMatch: string | undefined;
  /** The limits that the operator set for the tenant. */
  readonly limits: Limits;
}

export type Handlers<Operations, Services> = {
  [Name in keyof Operations]: Operations[Name] extends CompiledOperation<infer Spec>
    ? (input: Input<Spec> & Caller, services: Services) => Promise<Reply<Spec>>
    : never;
};

interface AnyReply extends ReplyHeaders {
  readonly status: number;
  readonly body?: unknown;
  readonly text?: string;
  readonly bytes?: Uint8Array;
  readonly contentType?: string;
}

type AnyHandler = (input: object, services: unknown) => Promise<AnyReply>;

/** The state of a request. The middlewares set the members in this order. */
interface Call {
  started: number;
  operation?: CompiledOperation;
  key?: ApiKey;
  /** Headers with the remaining quota of the tenant. */
  rateLimit?: Readonly<Record<string, string>>;
}

interface CallEvent extends HttpEvent {
  call: Call;
}

type Request = MiddyRequest<CallEvent, HttpReply>;

const authenticator = new Authenticator(apiKeyTable(), clock.now);

/** Makes the Lambda of a resource. `operations` is a module of `build/contract`. */
export function resource<Operations extends Readonly<Record<string, CompiledOperation>>, Services>(
  operations: Operations,
  services: (tenant: TenantId) => Services,
  handlers: Handlers<Operations, Services>,
) {
  const routes = new Map(
    Object.values(operations).map((operation) => [`${operation.method} ${operation.path}`, operation]),
  );
  const run = async (operation: CompiledOperation, input: object, tenant: TenantId) => {
    try {
      return await defined((handlers as unknown as Record<string, AnyHandler>)[operation.id])(
        input,
        services(tenant),
      );
    } finally {
      await deliverPublished(tenant);
    }
  };

  return middy<CallEvent, HttpReply>()
    .use(observed)
    .use({ before: ({ event }: Request) => requireEdge(event) })
    .use(identified(routes))
    .handler((event) => answer(event, run));
}

type Run = (operation: CompiledOperation, input: object, tenant: TenantId) => Promise<AnyReply>;

async function answer(event: CallEvent, run: Run): Promise<HttpReply> {
  return represented(await replyTo(event, run), event);
}

async function replyTo(event: CallEvent, run: Run): Promise<HttpReply> {
  const operation = defined(event.call.operation);
  const { tenant, id: keyId, limits } = defined(event.call.key);
  const checked = validate(operation, event, operation.validators.body && readJsonBody(event));
  const now = clock.now();
  const caller = {
    tenant,
    keyId,
    now,
    newResourceId: clock.newId(),
    newId: clock.newId,
    ifMatch: versionOf(event.headers?.['if-match']),
    limits,
  };
  const key = event.headers?.['idempotency-key'];
  if (operation.method !== 'POST' || key === undefined) {
    return rendered(operation, await run(operation, { ...checked, ...caller }, tenant));
  }
  const outcome = await claim(ephemeralTable(tenant), tenant, {
    operation: operation.id,
    key,
    fingerprint: `${event.rawPath}\n${JSON.stringify(checked.body)}`,
    newId: caller.newResourceId,
    now,
  });
  if ('replay' in outcome) {
    return { ...outcome.replay, headers: { ...outcome.replay.headers, 'Idempotent-Replayed': 'true' } };
  }
  const { resourceId, finish, release } = outcome.claim;
  try {
    const input = { ...checked, ...caller, newResourceId: resourceId };
    const reply = rendered(operation, await run(operation, input, tenant));
    await finish(reply);
    return reply;
  } catch (error) {
    await release();
    throw error;
  }
}

/** Adds the request id, the access log with metrics, and problem+json for any error. */
const observed = {
  before: (request: Request) => {
    request.event.call = { started: performance.now() };
  },
  after: (request: Request) => {
    request.response = withRequestId(defined(request.response), request.event);
    report(request, request.response.statusCode);
  },
  onError: (request: Request) => {
    const problem = asProblem(request.error);
    if (problem.code === 'internal_error') {
      log('error', 'unexpected error', {
        request_id: request.event.requestContext.requestId,
        ...describeError(request.error),
      });
    }
    const context = {
      siteUrl: environment.siteUrl,
      requestId: request.event.requestContext.requestId,
      path: request.event.rawPath,
    };
    request.response = withRequestId(renderProblem(problem, context), request.event);
    report(request, request.response.statusCode, problem.code);
  },
};

/**
 * Finds the operation of the route and the key of the caller, counts the request against the limit of the tenant, and
 * checks the key and its scope. Refused requests count too: otherwise a tenant could send any number of them.
 */
const identified = (routes: Map<string, CompiledOperation>) => ({
  before: async ({ event }: Request) => {
    const { call } = event;
    const operation = operationFor(event, routes);
    const isKnown = !(operation instanceof Problem);
    if (isKnown) call.operation = operation;
    const { key, refusal } = await authenticator
      .identify(event.headers?.authorization)
      .catch((error: unknown) => {
        throw isKnown ? error : operation;
      });
    call.key = key;
    const { headers, problem } = await countRequest(
      ephemeralTable(key.tenant),
      key.tenant,
      key.limits,
      clock.now(),
    );
    call.rateLimit = headers;
    if (problem !== null) throw problem;
    if (!isKnown) throw operation;
    if (refusal !== null) throw refusal;
    authorize(key, operation.scope);
  },
});

/** Finds the operation for the method of the request, or the problem. A route has a path, and usually the method ANY. */
function operationFor(event: HttpEvent, routes: Map<string, CompiledOperation>): CompiledOperation | Problem {
  const { method } = event.requestContext.http;
  const path = event.routeKey.replace(/^\w+ /, '').replace('+}', '}');
  const operation = routes.get(`${answering(method)} ${path}`);
  if (operation !== undefined) return operation;
  const methods = [...routes.values()].filter((other) => other.path === path).map((other) => other.method);
  if (methods.length > 0) return methodNotAllowed(event.rawPath, method, methods);
  return new Problem('route_not_found', `There is no ${method} ${event.rawPath}.`);
}

function rendered(operation: CompiledOperation, reply: AnyReply): HttpReply {
  if (!operation.statuses.includes(reply.status)) {
    throw new TypeError(`${operation.id} answered ${reply.status}, which its contract does not declare`);
  }
  const etag = reply.etag === undefined ? undefined : `"${reply.etag}"`;
  const common = {
    ...reply.headers,
    ...(etag !== undefined && { ETag: etag }),
    'Cache-Control': etag === undefined ? 'no-store' : 'private, no-cache',
  };
  if (reply.text !== undefined) {
    return {
      statusCode: reply.status,
      headers: { 'Content-Type': reply.contentType ?? 'text/plain; charset=utf-8', ...common },
      body: reply.text,
    };
  }
  if (reply.bytes !== undefined) {
    return {
      statusCode: reply.status,
      headers: { 'Content-Type': reply.contentType ?? 'application/octet-stream', ...common },
      body: Buffer.from(reply.bytes).toString('base64'),
      isBase64Encoded: true,
    };
  }
  if (reply.body === undefined) return { statusCode: reply.status, headers: common, body: '' };
  return {
    statusCode: reply.status,
    headers: { 'Content-Type': 'application/json', ...common },
    body: JSON.stringify(reply.body),
  };
}

const withRequestId = (reply: HttpReply, event: CallEvent): HttpReply => ({
  ...reply,
  headers: {
    ...reply.headers,
    ...event.call.rateLimit,
    'X-Request-Id': event.requestContext.requestId,
    'X-Content-Type-Options': 'nosniff',
  },
});

function report({ event }: Request, status: number, code?: string): void {
  const { operation, key, started } = event.call;
  const milliseconds = performance.now() - started;
  logWithMetrics(
    'request',
    [
      { name: 'Requests', unit: 'Count', value: 1 },
      { name: 'Latency', unit: 'Milliseconds', value: Math.round(milliseconds * 100) / 100 },
      { name: 'ServerErrors', unit: 'Count', value: status >= 500 && status !== 501 ? 1 : 0 },
    ],
    {
      operation: operation?.id ?? 'none',
      latency_ms: Math.round(milliseconds),
      request_id: event.requestContext.requestId,
      status,
      ...(code !== undefined && { code }),
      ...(key !== undefined && { tenant: key.tenant, key_id: key.id }),
    },
  );
}

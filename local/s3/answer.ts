/** Handles one request, from its first line to the last byte of the answer. */
import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Authorizer } from '../iam/authorizer.ts';
import { authenticate, type Trust } from './auth/authenticate.ts';
import { operatorsPermit, permissionsOfRequest, permitOf } from './auth/permit.ts';
import { type CorsBucket, corsHeaders, preflightHeaders } from './cors.ts';
import { renderError, S3Error, shownOf } from './errors.ts';
import type { S3Response } from './operations/operation.ts';
import { readRequest, type S3Request } from './request.ts';
import { routeOf } from './routes.ts';
import type { Store } from './store/store.ts';

export type Service = Trust & {
  store: Store;
  /** The host names under which a subdomain is the name of a bucket. The longest is first. */
  hosts: string[];
  authorizer: Authorizer;
};

export async function answer(
  service: Service,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  awaitsContinue: boolean,
): Promise<void> {
  const id = randomBytes(8).toString('hex').toUpperCase();
  let isInvited = !awaitsContinue;
  const invite = () => {
    if (!isInvited) outgoing.writeContinue();
    isInvited = true;
  };
  let request: S3Request | undefined;
  let response: S3Response;
  try {
    request = readRequest(incoming, id, service.hosts, invite);
    response = await respond(service, request);
  } catch (error) {
    response = refusal(error, incoming, id);
  }
  // The client was not asked for its body, and may or may not send it. So no further request can be read from this connection.
  if (!isInvited) outgoing.shouldKeepAlive = false;
  const cors =
    request && request.method !== 'OPTIONS' && corsHeaders(request, corsBucketOf(request, service.store));
  await send(outgoing, incoming, {
    ...response,
    headers: { 'x-amz-request-id': id, ...cors, ...response.headers },
  });
}

async function respond(service: Service, request: S3Request): Promise<S3Response> {
  const { store, region, now } = service;
  if (request.method === 'OPTIONS') {
    const allowed = preflightHeaders(request, corsBucketOf(request, store));
    return { status: 200, headers: { ...allowed, 'Content-Length': '0' } };
  }
  const { session, ...payload } = authenticate(request, service);
  const { run, name } = routeOf(request);
  const permit = session ? permitOf(session, service.authorizer) : operatorsPermit;
  permit.require(permissionsOfRequest(name, request));
  try {
    return await run({ request, payload, permit, store, region, now });
  } catch (error) {
    throw permit.shown(error, request);
  }
}

function corsBucketOf({ bucket }: S3Request, store: Store): CorsBucket {
  return bucket === undefined ? undefined : store.findBucket(bucket)?.spec;
}

function refusal(error: unknown, incoming: IncomingMessage, id: string): S3Response {
  const clientHasGone = incoming.destroyed && !incoming.complete;
  if (!(error instanceof S3Error) && !clientHasGone)
    console.error(`s3 ${id} ${incoming.method} ${incoming.url?.split('?')[0]}`, error);
  const shown = shownOf(error);
  const size = shown.details.ActualObjectSize;
  return {
    status: shown.status,
    headers: {
      'Content-Type': 'application/xml',
      ...(shown.code === 'InvalidRange' && { 'Content-Range': `bytes */${size}` }),
    },
    body: renderError(shown, incoming.url?.split('?')[0] ?? '/', id),
  };
}

async function send(
  outgoing: ServerResponse,
  incoming: IncomingMessage,
  response: S3Response,
): Promise<void> {
  const { status, headers, body } = response;
  const isText = typeof body === 'string';
  const length = isText ? { 'Content-Length': String(Buffer.byteLength(body)) } : {};
  const none =
    body === undefined && status === 200 && incoming.method !== 'HEAD' && !headers?.['Content-Length'];
  outgoing.writeHead(status, { ...headers, ...length, ...(none && { 'Content-Length': '0' }) });
  // The client may still send its body. The body must be read: otherwise, the client never reads the answer.
  incoming.resume();
  if (incoming.method === 'HEAD' || body === undefined) return void outgoing.end();
  if (isText) return void outgoing.end(body);
  // A client that closes the connection during a download is not an error of the server.
  await pipeline(Readable.from(body, { objectMode: false, highWaterMark: 128 * 1024 }), outgoing).catch(
    (error) => {
      if (!outgoing.destroyed) outgoing.destroy(error);
    },
  );
}

/** Implements the protocol AWS JSON 1.0: `X-Amz-Target: AWSStepFunctions.<Operation>`, a JSON body, and a signature with the local keys. */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { AccessDenied, type Authorizer } from '../iam/authorizer.ts';
import { NotSigned, requireSignature, type Trust } from '../signed.ts';
import type { Engine } from './engine.ts';
import { ServiceError } from './errors.ts';
import { OPERATIONS, type Parameters } from './operations.ts';
import { permissionsOfStepFunctions } from './permissions.ts';

const TARGET = /^AWSStepFunctions\.(?<operation>\w+)$/;

/** The maximum size of a body, bytes. As an escaped JSON string, the largest payload can need twice its size. */
const MAX_BODY_BYTES = 1_048_576;

/** @param authorizer checks the permissions of roles; without it, only the operator may send requests */
export function requestListener(engine: Engine, trust: Trust, authorizer?: Authorizer): RequestListener {
  return (request, response) => {
    answer({ engine, trust, authorizer }, request).then(
      (body) => send(response, 200, body),
      (error: unknown) => sendError(response, error),
    );
  };
}

async function answer(
  { engine, trust, authorizer }: { engine: Engine; trust: Trust; authorizer: Authorizer | undefined },
  request: IncomingMessage,
): Promise<object> {
  const body = await bodyOf(request);
  const session = requireSignature(request, body, trust);
  const name = TARGET.exec(String(request.headers['x-amz-target'] ?? ''))?.groups?.operation ?? '';
  const operation = Object.hasOwn(OPERATIONS, name) ? OPERATIONS[name] : undefined;
  if (request.method !== 'POST' || !operation)
    throw new ServiceError('UnknownOperationException', `unknown operation ${name}`);
  const parameters = parametersOf(body);
  if (session) {
    if (authorizer === undefined)
      throw new NotSigned('UnrecognizedClient', 'The security token included in the request is invalid.');
    authorizer.authorize(session, permissionsOfStepFunctions(name, parameters));
  }
  return operation(engine, parameters);
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_BODY_BYTES)
      throw new ServiceError('ValidationException', 'The request is too large.', 413);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function parametersOf(bytes: Buffer): Parameters {
  try {
    const body: unknown = JSON.parse(bytes.toString() || '{}');
    if (body !== null && typeof body === 'object' && !Array.isArray(body)) return body as Parameters;
  } catch {
    // The body is not JSON. The error below covers this case, too.
  }
  throw new ServiceError('SerializationException', 'The body is not a JSON object.');
}

function sendError(response: ServerResponse, error: unknown): void {
  if (error instanceof NotSigned) {
    send(response, 403, { __type: `${error.fault}Exception`, message: error.message });
    return;
  }
  if (error instanceof AccessDenied) {
    send(response, 400, { __type: 'AccessDeniedException', Message: error.message });
    return;
  }
  if (error instanceof ServiceError) {
    send(response, error.status, { __type: error.type, message: error.message });
    return;
  }
  console.error('stepfunctions:', error);
  send(response, 500, { __type: 'InternalFailure', message: 'The request failed.' });
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, {
    'content-type': 'application/x-amz-json-1.0',
    'x-amzn-requestid': randomUUID(),
  });
  response.end(JSON.stringify(body));
}

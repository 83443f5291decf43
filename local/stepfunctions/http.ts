/** The AWS JSON 1.0 protocol: `X-Amz-Target: AWSStepFunctions.<Operation>`, a JSON body, a signature of the right form. */

import { randomUUID } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Engine } from './engine.ts';
import { ServiceError } from './errors.ts';
import { OPERATIONS, type Parameters } from './operations.ts';

const TARGET = /^AWSStepFunctions\.(?<operation>\w+)$/;

/** SigV4: `Credential=<key>/<date>/<region>/<service>/aws4_request`. IAM user guide, "Create a signed AWS API request". */
const AUTHORIZATION =
  /^AWS4-HMAC-SHA256 Credential=[^/\s]+\/\d{8}\/(?<region>[\w-]+)\/(?<service>[\w-]+)\/aws4_request, ?SignedHeaders=[\w;-]+, ?Signature=[0-9a-f]{64}$/;

/** Twice the largest payload, escaped within a JSON string. */
const MAX_BODY_BYTES = 1_048_576;

export function requestListener(engine: Engine, region: string): RequestListener {
  return (request, response) => {
    answer(engine, region, request).then(
      (body) => send(response, 200, body),
      (error: unknown) => sendError(response, error),
    );
  };
}

async function answer(engine: Engine, region: string, request: IncomingMessage): Promise<object> {
  refuseUnsigned(request.headers.authorization, region);
  const name = TARGET.exec(String(request.headers['x-amz-target'] ?? ''))?.groups?.operation ?? '';
  const operation = Object.hasOwn(OPERATIONS, name) ? OPERATIONS[name] : undefined;
  if (request.method !== 'POST' || !operation)
    throw new ServiceError('UnknownOperationException', `unknown operation ${name}`);
  return operation(engine, await parametersOf(request));
}

/** The local keys are no secret, so who signed is not checked; that one signs, and for here, is. */
function refuseUnsigned(authorization: string | undefined, region: string): void {
  if (!authorization)
    throw new ServiceError('MissingAuthenticationTokenException', 'Missing Authentication Token', 403);
  const scope = AUTHORIZATION.exec(authorization)?.groups;
  if (!scope)
    throw new ServiceError(
      'IncompleteSignatureException',
      'The Authorization header is not a SigV4 signature.',
      403,
    );
  if (scope.region === region && scope.service === 'states') return;
  throw new ServiceError(
    'InvalidSignatureException',
    `Credential should be scoped to the region '${region}' and the service 'states'.`,
    403,
  );
}

async function parametersOf(request: IncomingMessage): Promise<Parameters> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_BODY_BYTES)
      throw new ServiceError('ValidationException', 'The request is too large.', 413);
    chunks.push(chunk);
  }
  try {
    const body: unknown = JSON.parse(Buffer.concat(chunks).toString() || '{}');
    if (body !== null && typeof body === 'object' && !Array.isArray(body)) return body as Parameters;
  } catch {
    // Falls through to the one answer for every body that is not a JSON object.
  }
  throw new ServiceError('SerializationException', 'The body is not a JSON object.');
}

function sendError(response: ServerResponse, error: unknown): void {
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

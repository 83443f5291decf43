/**
 * A proxy (the door) in front of the DynamoDB engine. Engines accept any signature, and let every web page read their answers
 * (`Access-Control-Allow-Origin: *`). The door forwards only requests that are signed with local credentials, and lets no web page
 * read its answers.
 */
import { randomInt } from 'node:crypto';
import {
  Agent,
  request as httpRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import { AccessDenied, type Authorizer } from '../iam/authorizer.ts';
import type { Session } from '../iam/principals.ts';
import { type HeldPort, type Listening, listen } from '../listen.ts';
import { createOwnServer } from '../own-host.ts';
import { freePort } from '../ports.ts';
import { NotSigned, requireSignature, type Trust } from '../signed.ts';
import type { Engine, Place } from './engine.ts';
import { permissionsOfDynamoDb, type TableLocation } from './permissions.ts';

/** DynamoDB's limit for a request ("Service, account, and table quotas"): 16 MB. */
const MAX_BODY_BYTES = 16 << 20;
/**
 * The time after which the door closes idle connections to the engine, ms. It is shorter than the idle time of the engine, so that
 * the door never uses a connection that the engine is closing.
 */
const IDLE_MS = 15_000;

/**
 * Chooses a new address for the engine at each start. Only the door knows this address. On Linux, all of 127.0.0.0/8 is the
 * loopback interface (RFC 6890), so a web page would have to try about 10^11 addresses and ports. On other systems, only the port
 * is random.
 */
export async function hiddenPlace({ hasAddress }: Pick<Engine, 'hasAddress'>): Promise<Place> {
  const port = await freePort();
  if (!hasAddress || process.platform !== 'linux') return { host: '127.0.0.1', port };
  return { host: ['127', randomInt(1, 255), randomInt(0, 256), randomInt(1, 255)].join('.'), port };
}

/** Checks the permissions of roles. If it is absent, the door accepts only requests of the operator. */
export type DoorPermissions = TableLocation & { authorizer: Authorizer };

export type DoorOptions = {
  port: number | HeldPort;
  engine: Place;
  trust: Trust;
  permissions?: DoorPermissions;
};

export async function openDoor({ port, engine, trust, permissions }: DoorOptions): Promise<Listening> {
  const agent = new Agent({ keepAlive: true, timeout: IDLE_MS });
  const server = createOwnServer({}, (request, response) => {
    passOn(request, response, { engine, trust, agent, ...(permissions && { permissions }) }).catch(
      (error: unknown) => sendError(response, error),
    );
  });
  const listening = await listen(server, port);
  return {
    ...listening,
    close: async (graceMs) => {
      await listening.close(graceMs);
      agent.destroy();
    },
  };
}

interface Behind {
  readonly engine: Place;
  readonly trust: Trust;
  readonly agent: Agent;
  readonly permissions?: DoorPermissions;
}

async function passOn(
  request: IncomingMessage,
  response: ServerResponse,
  { engine, trust, agent, permissions }: Behind,
) {
  const body = await bodyOf(request);
  const session = requireSignature(request, body, trust);
  if (session) authorize(session, request, body, permissions);
  const headers = { ...kept(request.headers), 'content-length': body.length };
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    const onward = httpRequest({ ...engine, method: 'POST', path: '/', headers, agent }, resolve);
    onward.once('error', reject);
    onward.end(body);
  });
  response.writeHead(answer.statusCode ?? 500, kept(answer.headers));
  answer.once('error', () => response.destroy());
  answer.pipe(response);
}

/** @throws AccessDenied if the role may not send the request */
function authorize(
  session: Session,
  request: IncomingMessage,
  body: Buffer,
  permissions: DoorPermissions | undefined,
): void {
  if (permissions === undefined)
    throw new NotSigned('UnrecognizedClient', 'The security token included in the request is invalid.');
  const target = String(request.headers['x-amz-target'] ?? '');
  const operation = target.slice(target.indexOf('.') + 1);
  const input = JSON.parse(body.toString('utf8') || '{}') as object;
  permissions.authorizer.authorize(session, permissionsOfDynamoDb(operation, input, permissions));
}

/** Matches headers that the door removes: headers of the connection, and headers for web pages. */
const dropped = /^(?:connection|keep-alive|transfer-encoding|host|origin|expect|vary|access-control-.*)$/;
const kept = (headers: IncomingHttpHeaders) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !dropped.test(name)));

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_BODY_BYTES) throw new TooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

class TooLarge extends Error {}

function sendError(response: ServerResponse, error: unknown): void {
  // The engine ended in the middle of an answer. The client tries again.
  if (response.headersSent) return void response.destroy();
  if (error instanceof NotSigned) {
    send(response, 400, `${error.fault}Exception`, error.message);
    return;
  }
  if (error instanceof AccessDenied) {
    send(response, 400, 'AccessDeniedException', error.message);
    return;
  }
  if (error instanceof SyntaxError) {
    send(response, 400, 'SerializationException', 'The body is not a JSON object.');
    return;
  }
  if (error instanceof TooLarge) {
    send(response, 413, 'RequestEntityTooLarge', 'The request is too large.');
    return;
  }
  console.error('dynamodb:', error);
  send(response, 500, 'InternalServerError', 'The engine does not answer.');
}

function send(response: ServerResponse, status: number, name: string, message: string): void {
  response.writeHead(status, { 'content-type': 'application/x-amz-json-1.0', connection: 'close' });
  response.end(JSON.stringify({ __type: `com.amazon.coral.service#${name}`, message }));
}

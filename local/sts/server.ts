/** The Security Token Service, as far as AssumeRole: the AWS Query protocol, a form in and XML out. */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type HeldPort, listen } from '../listen.ts';
import { createOwnServer } from '../own-host.ts';
import { xmlDocument } from '../s3/xml.ts';
import { NotSigned, requireSignature } from '../signed.ts';
import type { Policy } from './policies.ts';
import { roleAt, trusts } from './roles.ts';
import { issued } from './sessions.ts';

export type StsOptions = {
  port: number | HeldPort;
  region: string;
  /** The account that asks for roles. */
  accountId: string;
  /** Who may ask; under its secret key the S3 server knows tokens again. */
  credentials: { accessKeyId: string; secretAccessKey: string };
  /** Folder of the roles. */
  roles: string;
  /** Milliseconds since the epoch. */
  now?: () => number;
};

export type RunningSts = { url: string; close(): Promise<void> };

const NAMESPACE = 'https://sts.amazonaws.com/doc/2011-06-15/';
const MAX_BODY_BYTES = 65_536;

export async function startSts(options: StsOptions): Promise<RunningSts> {
  const server = createOwnServer({}, (request, response) => {
    answerOf(options, request).then(
      (body) => send(response, 200, body),
      (error: unknown) => sendError(response, error),
    );
  });
  const { url, close } = await listen(server, options.port);
  return { url, close: () => close() };
}

class StsError extends Error {
  readonly code: string;
  readonly status: number;
  constructor(code: string, message: string, status = 400) {
    super(message);
    this.code = code;
    this.status = status;
  }
}

async function answerOf(options: StsOptions, request: IncomingMessage): Promise<string> {
  const { region, credentials, now } = options;
  const body = await bodyOf(request);
  requireSignature(request, body, { region, service: 'sts', credentials, ...(now && { now }) });
  const form = new URLSearchParams(body.toString('utf8'));
  if (request.method !== 'POST' || form.get('Action') !== 'AssumeRole')
    throw new StsError('InvalidAction', `Could not find operation ${form.get('Action')}.`);
  return assumeRole(options, form);
}

function assumeRole(
  { roles, accountId, credentials, now = Date.now }: StsOptions,
  form: URLSearchParams,
): string {
  const arn = form.get('RoleArn') ?? '';
  const name = form.get('RoleSessionName') ?? '';
  const seconds = Number(form.get('DurationSeconds') ?? 3600);
  if (!/^[\w+=,.@-]{2,64}$/.test(name))
    throw new StsError('ValidationError', 'RoleSessionName is not valid.');
  if (!(seconds >= 900 && seconds <= 3600))
    throw new StsError('ValidationError', 'DurationSeconds exceeds what role chaining takes.');
  const role = roleAt(roles, arn);
  if (role === null || !trusts(role, accountId, form.get('ExternalId') ?? undefined)) {
    const message = `User: arn:aws:iam::${accountId}:root is not authorized to perform: sts:AssumeRole on resource: ${arn}`;
    throw new StsError('AccessDenied', message, 403);
  }
  const policies = [role.permission_policy, ...policyIn(form.get('Policy'))];
  const session = issued(credentials.secretAccessKey, policies, now() + seconds * 1000);
  return xmlDocument(
    'AssumeRoleResponse',
    {
      AssumeRoleResult: {
        Credentials: {
          AccessKeyId: session.accessKeyId,
          SecretAccessKey: session.secretAccessKey,
          SessionToken: session.token,
          Expiration: new Date(session.expires).toISOString(),
        },
        AssumedRoleUser: {
          AssumedRoleId: `AROALOCAL:${name}`,
          Arn: `${arn.replace(':iam:', ':sts:').replace(':role/', ':assumed-role/')}/${name}`,
        },
      },
      ResponseMetadata: { RequestId: randomUUID() },
    },
    NAMESPACE,
  );
}

function knownError(error: unknown): StsError {
  if (error instanceof StsError) return error;
  if (error instanceof NotSigned) return new StsError(error.fault, error.message, 403);
  console.error('sts:', error);
  return new StsError('InternalFailure', 'The request failed.', 500);
}

function policyIn(text: string | null): Policy[] {
  if (text === null) return [];
  try {
    return [JSON.parse(text) as Policy];
  } catch {
    throw new StsError('MalformedPolicyDocument', 'The policy is not JSON.');
  }
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_BODY_BYTES) throw new StsError('ValidationError', 'The request is too large.', 413);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function sendError(response: ServerResponse, error: unknown): void {
  const known = knownError(error);
  const told = { Type: 'Sender', Code: known.code, Message: known.message };
  send(
    response,
    known.status,
    xmlDocument('ErrorResponse', { Error: told, RequestId: randomUUID() }, NAMESPACE),
  );
}

function send(response: ServerResponse, status: number, body: string): void {
  response.writeHead(status, { 'content-type': 'text/xml' });
  response.end(body);
}

/** The operation AssumeRole of the Security Token Service. Its protocol is AWS Query: the request is a form, the answer is XML. */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { AccessDenied, type Authorizer } from '../iam/authorizer.ts';
import type { PolicyDocument } from '../iam/policy.ts';
import { issueSession, principalOf, type Session } from '../iam/principals.ts';
import { type HeldPort, listen } from '../listen.ts';
import { createOwnServer } from '../own-host.ts';
import { xmlDocument } from '../s3/xml.ts';
import { NotSigned, requireSignature } from '../signed.ts';
import { roleAt, trusts } from './roles.ts';

export type StsOptions = {
  port: number | HeldPort;
  region: string;
  /** The account of the callers. */
  accountId: string;
  /** The access key of the operator. Tokens are signed with its secret, so that the S3 server can check them. */
  credentials: { accessKeyId: string; secretAccessKey: string };
  /** The folder of the roles. */
  roles: string;
  /** Checks the permissions of roles. Without it, only the operator may send requests. */
  authorizer?: Authorizer;
  now?: () => number;
};

export type RunningSts = { url: string; close(): Promise<void> };

const NAMESPACE = 'https://sts.amazonaws.com/doc/2011-06-15/';
/** Parameters that limit or change a session. Without them, it could have more permissions than on AWS. */
const UNSUPPORTED = /^(?:PolicyArns|Tags|TransitiveTagKeys|ProvidedContexts|SourceIdentity)\b/;
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
  const session = requireSignature(request, body, {
    region,
    service: 'sts',
    credentials,
    ...(now && { now }),
  });
  const form = new URLSearchParams(body.toString('utf8'));
  if (request.method !== 'POST' || form.get('Action') !== 'AssumeRole')
    throw new StsError('InvalidAction', `Could not find operation ${form.get('Action')}.`);
  return assumeRole(options, form, session);
}

function assumeRole(
  { roles, accountId, credentials, authorizer, now = Date.now }: StsOptions,
  form: URLSearchParams,
  session: Session | undefined,
): string {
  const arn = form.get('RoleArn') ?? '';
  const name = form.get('RoleSessionName') ?? '';
  const seconds = Number(form.get('DurationSeconds') ?? 3600);
  if (!/^[\w+=,.@-]{2,64}$/.test(name))
    throw new StsError('ValidationError', 'RoleSessionName is not valid.');
  if (!(seconds >= 900 && seconds <= 3600))
    throw new StsError('ValidationError', 'DurationSeconds exceeds what role chaining takes.');
  const unsupported = [...form.keys()].find((key) => UNSUPPORTED.test(key));
  if (unsupported !== undefined)
    throw new StsError('ValidationError', `${unsupported} is not supported here.`);
  const role = roleAt(roles, arn);
  const externalId = form.get('ExternalId');
  const access = {
    action: 'sts:AssumeRole',
    resource: arn,
    context: {
      'sts:rolesessionname': [name],
      ...(externalId !== null && { 'sts:externalid': [externalId] }),
    },
  };
  const rootArn = `arn:aws:iam::${accountId}:root`;
  const root = { arn: rootArn, roleArn: rootArn, account: accountId };
  const caller = session ? principalOf(session) : root;
  if (session) requireAuthorizer(authorizer).authorize(session, [access]);
  if (role === null || !trusts(role, caller, access)) {
    const message = `User: ${caller.arn} is not authorized to perform: sts:AssumeRole on resource: ${arn}`;
    throw new StsError('AccessDenied', message, 403);
  }
  const issued = issueSession(credentials.secretAccessKey, {
    roleArn: arn,
    sessionName: name,
    expires: now() + seconds * 1000,
    rolePolicy: role.permission_policy,
    sessionPolicies: policyIn(form.get('Policy')),
  });
  return xmlDocument(
    'AssumeRoleResponse',
    {
      AssumeRoleResult: {
        Credentials: {
          AccessKeyId: issued.accessKeyId,
          SecretAccessKey: issued.secretAccessKey,
          SessionToken: issued.token,
          Expiration: new Date(issued.expires).toISOString(),
        },
        AssumedRoleUser: {
          AssumedRoleId: `AROALOCAL:${name}`,
          Arn: principalOf(issued).arn,
        },
      },
      ResponseMetadata: { RequestId: randomUUID() },
    },
    NAMESPACE,
  );
}

function requireAuthorizer(authorizer: Authorizer | undefined): Authorizer {
  if (authorizer) return authorizer;
  throw new StsError('InvalidClientTokenId', 'The security token included in the request is invalid.', 403);
}

function knownError(error: unknown): StsError {
  if (error instanceof StsError) return error;
  if (error instanceof AccessDenied) return new StsError('AccessDenied', error.message, 403);
  if (error instanceof NotSigned) return new StsError(error.fault, error.message, 403);
  console.error('sts:', error);
  return new StsError('InternalFailure', 'The request failed.', 500);
}

function policyIn(text: string | null): PolicyDocument[] {
  if (text === null) return [];
  try {
    const policy: unknown = JSON.parse(text);
    if (typeof policy === 'object' && policy !== null && 'Statement' in policy)
      return [policy as PolicyDocument];
  } catch {
    // The policy is not JSON. The error below covers this case, too.
  }
  throw new StsError('MalformedPolicyDocument', 'The policy is not a JSON object with Statement.');
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

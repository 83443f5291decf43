/**
 * Checks the AWS Signature Version 4 in the Authorization header of a request to a local service other than S3. The signature also
 * covers the body. Only the owner of the files with the local keys can read them, so a signature proves that the owner sent the
 * request. A web page can send requests to every port, but cannot sign them.
 */
import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { readSession, type Session } from './iam/principals.ts';
import { ALGORITHM, parseDate, requestSignature, sameSignature } from './sigv4.ts';

export type Trust = {
  region: string;
  /** The service in the scope of the signature: `dynamodb`, `states`, `sts`. */
  service: string;
  credentials: { accessKeyId: string; secretAccessKey: string };
  now?: () => number;
};

/** The names of errors, without the suffix `Exception` that most services use. */
export type Fault =
  | 'MissingAuthenticationToken'
  | 'IncompleteSignature'
  | 'UnrecognizedClient'
  | 'ExpiredToken'
  | 'InvalidSignature';

export class NotSigned extends Error {
  readonly fault: Fault;
  constructor(fault: Fault, message: string) {
    super(message);
    this.fault = fault;
  }
}

/** IAM user guide, "Create a signed AWS API request": `Credential=<key>/<date>/<region>/<service>/aws4_request`. */
const AUTHORIZATION = new RegExp(
  `^${ALGORITHM} Credential=(?<key>[^/\\s]+)/(?<day>\\d{8})/(?<region>[\\w-]+)/(?<service>[\\w-]+)/aws4_request, ?SignedHeaders=(?<headers>[\\w;-]+), ?Signature=(?<signature>[0-9a-f]{64})$`,
);

/** The difference between the clocks of client and server that AWS tolerates, ms. */
const MAX_SKEW_MS = 15 * 60_000;

/**
 * @param body the whole body as it was sent
 * @returns the session of a role; undefined for the operator
 * @throws NotSigned if the signature is missing or wrong
 */
export function requireSignature(request: IncomingMessage, body: Buffer, trust: Trust): Session | undefined {
  const session = sessionIn(request, trust);
  requireSignatureWith(request, body, session ? { ...trust, credentials: session } : trust);
  return session;
}

function sessionIn(request: IncomingMessage, { credentials, now = Date.now }: Trust): Session | undefined {
  const token = request.headers['x-amz-security-token'];
  if (typeof token !== 'string') return undefined;
  const session = readSession(credentials.secretAccessKey, token);
  if (session === null)
    throw new NotSigned('UnrecognizedClient', 'The security token included in the request is invalid.');
  if (session.expires <= now())
    throw new NotSigned('ExpiredToken', 'The security token included in the request is expired');
  return session;
}

function requireSignatureWith(request: IncomingMessage, body: Buffer, trust: Trust): void {
  const { authorization } = request.headers;
  if (!authorization) throw new NotSigned('MissingAuthenticationToken', 'Missing Authentication Token');
  const claim = AUTHORIZATION.exec(authorization)?.groups;
  if (!claim)
    throw new NotSigned('IncompleteSignature', 'The Authorization header is not a SigV4 signature.');
  requireScope(claim, trust);
  const date = String(request.headers['x-amz-date'] ?? '');
  const isOfNow = Math.abs((trust.now ?? Date.now)() - parseDate(date)) <= MAX_SKEW_MS;
  if (!isOfNow || date.slice(0, 8) !== claim.day)
    throw new NotSigned('InvalidSignature', 'Signature expired, or its date is not that of x-amz-date.');
  const signedHeaders = claim.headers!.split(';');
  const expected = requestSignature(
    trust.credentials.secretAccessKey,
    { date, region: trust.region, service: trust.service },
    {
      method: request.method ?? '',
      ...targetOf(request.url ?? ''),
      headers: headersOf(request.rawHeaders),
      signedHeaders,
      payloadHash: createHash('sha256').update(body).digest('hex'),
    },
  );
  // These headers must be signed. Otherwise, a signed request could be sent again to another host or operation.
  const isWhole = ['host', 'x-amz-date'].every((name) => signedHeaders.includes(name));
  const isTargeted = !('x-amz-target' in request.headers) || signedHeaders.includes('x-amz-target');
  if (!isWhole || !isTargeted || !sameSignature(claim.signature!, expected)) {
    throw new NotSigned(
      'InvalidSignature',
      'The request signature we calculated does not match the signature you provided.',
    );
  }
}

function requireScope(claim: Record<string, string>, { region, service, credentials }: Trust): void {
  if (claim.region !== region || claim.service !== service) {
    throw new NotSigned(
      'InvalidSignature',
      `Credential should be scoped to the region '${region}' and the service '${service}'.`,
    );
  }
  if (claim.key === credentials.accessKeyId) return;
  throw new NotSigned('UnrecognizedClient', 'The security token included in the request is invalid.');
}

/** Returns the path and the query. The path is always `/` for these services, so nothing has to be decoded for the signature. */
function targetOf(url: string): { path: string; query: [string, string][] } {
  if (url === '/') return { path: '/', query: [] };
  throw new NotSigned('InvalidSignature', 'Requests are sent to /.');
}

/** Returns the headers as they are signed: names in lower case, and repeated headers joined by a comma. */
function headersOf(raw: readonly string[]): Map<string, string> {
  const headers = new Map<string, string>();
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const name = raw[at]!.toLowerCase();
    const before = headers.get(name);
    headers.set(name, before === undefined ? raw[at + 1]! : `${before},${raw[at + 1]}`);
  }
  return headers;
}

/** Checks the AWS Signature Version 4 of a request. The signature is in the Authorization header or in the query. */
import { readSession, type Session } from '../../iam/principals.ts';
import {
  ALGORITHM,
  parseDate,
  requestSignature,
  type Scope,
  sameSignature,
  signingKey,
} from '../../sigv4.ts';
import { S3Error } from '../errors.ts';
import type { Credentials } from '../options.ts';
import type { S3Request } from '../request.ts';
import { type ChunkSigner, chunkSigner } from './chunk-signer.ts';

/** The rules of the signature for reading and checking the body. */
export type Payload = {
  /** The SHA-256 that the body must have, in lower-case hex. */
  sha256?: string;
  /** Set if the body is aws-chunked. With `signer`, every chunk is signed. With `trailer`, there are headers after the body. */
  chunked?: { signer?: ChunkSigner; trailer: boolean };
};

export type Trust = { region: string; credentials: Credentials; now: () => number };

/** An authenticated request. `session` is the session of a role. It is absent for the operator. */
export type Admitted = Payload & { session?: Session };

/** Checks the signature, before the body is read. Throws the S3 error that AWS would send. */
export function authenticate(request: S3Request, trust: Trust): Admitted {
  const token = request.header('x-amz-security-token');
  if (token === undefined) return signedBy(request, trust);
  const session = readSession(trust.credentials.secretAccessKey, token);
  if (session === null) throw new S3Error('InvalidToken');
  const payload = signedBy(request, { ...trust, credentials: session });
  if (session.expires <= trust.now()) throw new S3Error('ExpiredToken');
  return { ...payload, session };
}

function signedBy(request: S3Request, trust: Trust): Payload {
  const authorization = request.sentHeaders.get('authorization');
  const isPresigned =
    request.parameter('X-Amz-Signature') !== undefined || request.parameter('X-Amz-Algorithm') !== undefined;
  if (authorization !== undefined && isPresigned) {
    throw new S3Error('InvalidArgument', 'Only one auth mechanism allowed');
  }
  if (authorization !== undefined) return fromHeader(request, authorization, trust);
  if (isPresigned) return fromQuery(request, trust);
  throw new S3Error('AccessDenied');
}

type Claim = { scope: Scope; signedHeaders: string[]; signature: string };

/** The maximum difference between the clocks of client and server: 15 minutes, as on AWS. */
const MAX_SKEW_MS = 15 * 60_000;

function fromHeader(request: S3Request, authorization: string, trust: Trust): Payload {
  if (!authorization.startsWith(`${ALGORITHM} `)) {
    throw new S3Error(
      'InvalidRequest',
      `The authorization mechanism you have provided is not supported. Please use ${ALGORITHM}.`,
    );
  }
  const date =
    request.sentHeaders.get('x-amz-date') ?? basicDate(Date.parse(request.sentHeaders.get('date') ?? ''));
  const time = parseDate(date);
  if (Number.isNaN(time)) {
    throw new S3Error('AccessDenied', 'AWS authentication requires a valid Date or x-amz-date header');
  }
  const claim = readAuthorization(authorization.slice(ALGORITHM.length + 1), date, trust);
  if (Math.abs(trust.now() - time) > MAX_SKEW_MS) {
    throw new S3Error('RequestTimeTooSkewed', undefined, {
      RequestTime: date,
      ServerTime: new Date(trust.now()).toISOString(),
      MaxAllowedSkewMilliseconds: MAX_SKEW_MS,
    });
  }
  const payloadHash = request.sentHeaders.get('x-amz-content-sha256');
  if (payloadHash === undefined) {
    throw new S3Error('InvalidRequest', 'Missing required header for this request: x-amz-content-sha256');
  }
  verify(request, request.query, claim, payloadHash, trust);
  return payloadOf(payloadHash, claim, trust);
}

function readAuthorization(fields: string, date: string, trust: Trust): Claim {
  const field = (name: string) => fields.match(new RegExp(`(?:^|[,\\s])${name}=([^,\\s]+)`))?.[1];
  const [credential, headers, signature] = [field('Credential'), field('SignedHeaders'), field('Signature')];
  if (!credential || !headers || !signature) throw new S3Error('AuthorizationHeaderMalformed');
  return {
    scope: readCredential(credential, date, trust, 'AuthorizationHeaderMalformed'),
    signedHeaders: headers.split(';'),
    signature,
  };
}

/** The maximum lifetime of a presigned URL: a week, as on AWS. */
const MAX_EXPIRES_S = 604_800;

function fromQuery(request: S3Request, trust: Trust): Payload {
  const malformed = (message: string) => new S3Error('AuthorizationQueryParametersError', message);
  const [algorithm, credential, date, expires, headers, signature] = [
    'Algorithm',
    'Credential',
    'Date',
    'Expires',
    'SignedHeaders',
    'Signature',
  ].map((name) => request.parameter(`X-Amz-${name}`));
  if (!credential || !date || !expires || !headers || !signature) {
    throw malformed(
      'Query-string authentication version 4 requires the X-Amz-Algorithm, X-Amz-Credential, X-Amz-Signature, X-Amz-Date, X-Amz-SignedHeaders, and X-Amz-Expires parameters.',
    );
  }
  if (algorithm !== ALGORITHM) throw malformed(`X-Amz-Algorithm only supports "${ALGORITHM}"`);
  const lifetime = Number(expires);
  if (!/^\d+$/.test(expires) || lifetime < 1 || lifetime > MAX_EXPIRES_S) {
    throw malformed(`X-Amz-Expires must be between 1 and ${MAX_EXPIRES_S} seconds`);
  }
  const issued = parseDate(date);
  if (Number.isNaN(issued))
    throw malformed("X-Amz-Date must be in the ISO8601 Long Format \"yyyyMMdd'T'HHmmss'Z'\"");

  const scope = readCredential(credential, date, trust, 'AuthorizationQueryParametersError');
  const claim = { scope, signedHeaders: headers.split(';'), signature };
  refuseOutsideLifetime(issued, lifetime, trust.now());
  const payloadHash =
    request.sentHeaders.get('x-amz-content-sha256') ??
    request.parameter('X-Amz-Content-Sha256') ??
    'UNSIGNED-PAYLOAD';
  const signedQuery = request.query.filter(([name]) => name !== 'X-Amz-Signature');
  verify(request, signedQuery, claim, payloadHash, trust);
  return payloadOf(payloadHash, claim, trust);
}

function refuseOutsideLifetime(issued: number, lifetimeS: number, now: number): void {
  const expiresAt = issued + lifetimeS * 1000;
  const times = { Expires: new Date(expiresAt).toISOString(), ServerTime: new Date(now).toISOString() };
  if (now > expiresAt)
    throw new S3Error('AccessDenied', 'Request has expired', { 'X-Amz-Expires': lifetimeS, ...times });
  if (issued > now + MAX_SKEW_MS) throw new S3Error('AccessDenied', 'Request is not valid yet', times);
}

function readCredential(
  credential: string,
  date: string,
  { region, credentials }: Trust,
  malformed: 'AuthorizationHeaderMalformed' | 'AuthorizationQueryParametersError',
): Scope {
  const parts = credential.split('/');
  const [day, itsRegion, service, terminator] = parts.slice(-4);
  const accessKeyId = parts.slice(0, -4).join('/');
  if (parts.length < 5 || service !== 's3' || terminator !== 'aws4_request' || day !== date.slice(0, 8)) {
    throw new S3Error(
      malformed,
      'The credential must be "<access-key>/YYYYMMDD/<region>/s3/aws4_request" of the request date.',
    );
  }
  if (accessKeyId !== credentials.accessKeyId) {
    throw new S3Error('InvalidAccessKeyId', undefined, { AWSAccessKeyId: accessKeyId });
  }
  if (itsRegion !== region) {
    throw new S3Error(malformed, `The region '${itsRegion}' is wrong; expecting '${region}'`, {
      Region: region,
    });
  }
  return { date, region, service };
}

function verify(
  request: S3Request,
  query: [string, string][],
  claim: Claim,
  payloadHash: string,
  { credentials }: Trust,
): void {
  const expected = requestSignature(credentials.secretAccessKey, claim.scope, {
    method: request.method,
    path: request.path,
    query,
    headers: request.sentHeaders,
    signedHeaders: claim.signedHeaders,
    payloadHash,
  });
  if (!sameSignature(claim.signature, expected)) {
    throw new S3Error('SignatureDoesNotMatch', undefined, {
      AWSAccessKeyId: credentials.accessKeyId,
      SignatureProvided: claim.signature,
    });
  }
  refuseUnsignedHeaders(request, claim.signedHeaders);
}

/** Refuses unsigned headers that change the meaning of a request. Otherwise, a holder of a signed request could add them. */
function refuseUnsignedHeaders(request: S3Request, signedHeaders: string[]): void {
  const mustBeSigned = (name: string) => name === 'host' || name.startsWith('x-amz-');
  const unsigned = ['host', ...request.sentHeaders.keys()].filter(
    (name) => mustBeSigned(name) && !signedHeaders.includes(name),
  );
  if (unsigned.length > 0) {
    throw new S3Error('AccessDenied', 'There were headers present in the request which were not signed', {
      HeadersNotSigned: [...new Set(unsigned)].join(', '),
    });
  }
}

function payloadOf(hash: string, claim: Claim, { credentials }: Trust): Payload {
  const signer = () =>
    chunkSigner(signingKey(credentials.secretAccessKey, claim.scope), claim.scope, claim.signature);
  switch (hash) {
    case 'UNSIGNED-PAYLOAD':
      return {};
    case 'STREAMING-UNSIGNED-PAYLOAD-TRAILER':
      return { chunked: { trailer: true } };
    case 'STREAMING-AWS4-HMAC-SHA256-PAYLOAD':
      return { chunked: { signer: signer(), trailer: false } };
    case 'STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER':
      return { chunked: { signer: signer(), trailer: true } };
  }
  if (hash.startsWith('STREAMING-')) throw new S3Error('NotImplemented');
  if (!/^[0-9a-f]{64}$/.test(hash)) {
    throw new S3Error(
      'InvalidArgument',
      'x-amz-content-sha256 must be UNSIGNED-PAYLOAD, STREAMING-UNSIGNED-PAYLOAD-TRAILER, STREAMING-AWS4-HMAC-SHA256-PAYLOAD, STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER or a valid sha256 value.',
    );
  }
  return { sha256: hash };
}

function basicDate(time: number): string {
  return Number.isNaN(time) ? '' : new Date(time).toISOString().replace(/[-:]|\.\d{3}/g, '');
}

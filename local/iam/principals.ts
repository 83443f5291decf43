/**
 * Identifies the sender of a request: the operator of the local cloud, who may do everything, or the session of a role. The token
 * of a session contains its claims, signed with the operator's secret key. So every local service can verify it by itself.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { PolicyDocument } from './policy.ts';

export type Principal = {
  /** `arn:aws:sts::<account>:assumed-role/<role>/<session>`. */
  arn: string;
  roleArn: string;
  account: string;
};

/** The content of a token. */
export type Claims = {
  accessKeyId: string;
  roleArn: string;
  sessionName: string;
  /** The expiry, in milliseconds since the epoch. */
  expires: number;
  /** The policy of a role that is not in the template. It is in the token because the services cannot look it up. */
  rolePolicy?: PolicyDocument;
  /** Policies that the caller of AssumeRole added. They limit the permissions of the role. */
  sessionPolicies?: PolicyDocument[];
};

/** The claims that determine the permissions of a request. */
export type Caller = Omit<Claims, 'accessKeyId' | 'expires'>;

export type Session = Claims & { secretAccessKey: string };
export type IssuedSession = Session & { token: string };

/** @param secret the operator's secret access key */
export function issueSession(secret: string, claims: Omit<Claims, 'accessKeyId'>): IssuedSession {
  // DynamoDB Local accepts only letters and digits in an access key id.
  const accessKeyId = `ASIALOCAL${randomBytes(6).toString('hex').toUpperCase()}`;
  const whole: Claims = { accessKeyId, ...claims };
  const text = Buffer.from(JSON.stringify(whole)).toString('base64url');
  const token = `${text}.${sealOf(secret, text)}`;
  return { ...whole, secretAccessKey: secretKeyOf(secret, accessKeyId), token };
}

/** Verified tokens, because clients send the same token with every request. */
const known = new Map<string, Session>();
const MOST_KNOWN = 1000;

/** Returns the session of a token. Null if the token was not issued here. The caller must check whether the session has expired. */
export function readSession(secret: string, token: string): Session | null {
  const place = `${secret} ${token}`;
  const cached = known.get(place);
  if (cached) return cached;
  const [text = '', seal = ''] = token.split('.');
  const expected = Buffer.from(sealOf(secret, text));
  const given = Buffer.from(seal);
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return null;
  const claims = JSON.parse(Buffer.from(text, 'base64url').toString('utf8')) as Claims;
  const session = { ...claims, secretAccessKey: secretKeyOf(secret, claims.accessKeyId) };
  if (known.size >= MOST_KNOWN) known.clear();
  known.set(place, session);
  return session;
}

export function principalOf({ roleArn, sessionName }: Caller): Principal {
  const [, partition = 'aws', , , account = ''] = roleArn.split(':');
  const roleName = roleArn.slice(roleArn.lastIndexOf('/') + 1);
  return {
    arn: `arn:${partition}:sts::${account}:assumed-role/${roleName}/${sessionName}`,
    roleArn,
    account,
  };
}

const sealOf = (secret: string, text: string): string =>
  createHmac('sha256', secret).update(`session token ${text}`).digest('base64url');

const secretKeyOf = (secret: string, accessKeyId: string): string =>
  createHmac('sha256', secret).update(`session key ${accessKeyId}`).digest('base64url');

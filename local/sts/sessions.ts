/**
 * Credentials that last an hour, and what they allow. The token itself says it, under a seal that only who knows the local
 * secret key can make, so that the S3 server takes them without asking anybody.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Policy } from './policies.ts';

export type Session = {
  accessKeyId: string;
  secretAccessKey: string;
  /** Each has to allow what is done. */
  policies: Policy[];
  /** Milliseconds since the epoch. */
  expires: number;
};

type Claims = Omit<Session, 'secretAccessKey'>;

export function issued(secret: string, policies: Policy[], expires: number): Session & { token: string } {
  const accessKeyId = `ASIALOCAL${randomBytes(6).toString('hex').toUpperCase()}`;
  const claims: Claims = { accessKeyId, policies, expires };
  const text = Buffer.from(JSON.stringify(claims)).toString('base64url');
  const token = `${text}.${sealOf(secret, text)}`;
  return { ...claims, secretAccessKey: secretOf(secret, accessKeyId), token };
}

/** The session of a token; null where we did not make it. Whether it has expired is for the caller to see. */
export function sessionOf(secret: string, token: string): Session | null {
  const [text = '', seal = ''] = token.split('.');
  const expected = Buffer.from(sealOf(secret, text));
  const given = Buffer.from(seal);
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return null;
  const claims = JSON.parse(Buffer.from(text, 'base64url').toString('utf8')) as Claims;
  return { ...claims, secretAccessKey: secretOf(secret, claims.accessKeyId) };
}

const sealOf = (secret: string, text: string): string =>
  createHmac('sha256', secret).update(`session token ${text}`).digest('base64url');

const secretOf = (secret: string, accessKeyId: string): string =>
  createHmac('sha256', secret).update(`session key ${accessKeyId}`).digest('base64url');

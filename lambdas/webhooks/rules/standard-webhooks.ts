/**
 * Rules of Standard Webhooks: signatures, secrets and retries.
 * https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
 */
import { createHmac, randomBytes } from 'node:crypto';
import type { Event } from '../../../platform/outbox/events.ts';

/** Maximum number of webhooks of a tenant. */
export const MAX_WEBHOOKS = 20;
/** Time for which an old secret still signs after a rotation, ms. */
const SECRET_OVERLAP_MS = 24 * 3_600_000;
/** Maximum number of secrets of a webhook. The oldest is dropped first. */
const MAX_SECRETS = 5;

/** A new secret: `whsec_` and 256 bits in base64. */
export const newSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`;

export interface Expiring {
  readonly expires_at: string | null;
}

/** The secrets that sign, the newest first. */
export const inUse = <Secret extends Expiring>(secrets: readonly Secret[], now: Date): Secret[] =>
  secrets.filter(({ expires_at }) => expires_at === null || Date.parse(expires_at) > now.getTime());

/** Adds a new secret before those in use. The previous secret, which had no end, gets an expiry time. */
export function rotated<Secret extends Expiring>(
  secrets: readonly Secret[],
  fresh: Secret,
  now: Date,
): Secret[] {
  const expires_at = new Date(now.getTime() + SECRET_OVERLAP_MS).toISOString();
  const before = inUse(secrets, now).map((secret) => ({
    ...secret,
    expires_at: secret.expires_at ?? expires_at,
  }));
  return [fresh, ...before].slice(0, MAX_SECRETS);
}

export interface Message {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The delivery request of an event, signed with each secret. */
export function messageOf(event: Event, secrets: readonly string[], now: Date): Message {
  const body = JSON.stringify(event);
  const timestamp = String(Math.floor(now.getTime() / 1000));
  const signed = `${event.event_id}.${timestamp}.${body}`;
  const signatures = secrets.map((secret) => `v1,${signature(secret, signed)}`);
  return {
    headers: {
      'Content-Type': 'application/json',
      'User-Agent': 'Kinora-Webhooks/1',
      'webhook-id': event.event_id,
      'webhook-timestamp': timestamp,
      'webhook-signature': signatures.join(' '),
    },
    body,
  };
}

const signature = (secret: string, text: string) =>
  createHmac('sha256', Buffer.from(secret.replace(/^whsec_/, ''), 'base64'))
    .update(text)
    .digest('base64');

const MINUTE_S = 60;
const HOUR_S = 60 * MINUTE_S;
/** Seconds between attempts, as the standard suggests. Their sum is between three and four days. */
const waits = [
  5,
  5 * MINUTE_S,
  30 * MINUTE_S,
  2 * HOUR_S,
  5 * HOUR_S,
  10 * HOUR_S,
  14 * HOUR_S,
  20 * HOUR_S,
  24 * HOUR_S,
];

/**
 * The maximum time from the first attempt to the last, seconds. It is longer than the planned waits, and shorter than the
 * time-out of the machine, so that the last attempt can still record how the delivery ended.
 */
export const DELIVERY_S = 6 * 24 * HOUR_S;

/**
 * Seconds until the next attempt; null after the last attempt.
 * @param attempt the number of attempts before the one that just failed: 0 after the first attempt
 * @param asked seconds in the receiver's Retry-After; can make the wait longer, but not shorter
 * @param chance random number, 0 to 1; adds jitter of up to a tenth
 * @param age seconds since the first attempt; a receiver cannot prolong a delivery beyond `DELIVERY_S`
 */
export function waitAfter(attempt: number, asked: number | null, chance: number, age: number): number | null {
  const planned = waits[attempt];
  const left = Math.floor(DELIVERY_S - age);
  if (planned === undefined || left <= 0) return null;
  const wait = Math.max(planned, Math.min(asked ?? 0, 24 * HOUR_S));
  return Math.min(Math.ceil(wait * (1 + chance / 10)), left);
}

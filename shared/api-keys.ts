/** API keys: `knr_{live|test}_{id}_{secret}{crc}`. Only the SHA-256 of a key is stored. */
import { createHash, randomInt, timingSafeEqual } from 'node:crypto';
import type { Scope } from '../contract/kit/scopes.ts';
import type { TenantId } from './ids.ts';
import type { Limits } from './usage.ts';

export type KeyMode = 'live' | 'test';

export interface ApiKey {
  readonly id: string;
  readonly tenant: TenantId;
  readonly name: string;
  /** Null for keys of 0.1.0, which did not store their mode. */
  readonly mode: KeyMode | null;
  readonly hash: string;
  readonly scopes: readonly Scope[];
  readonly status: 'active' | 'revoked' | 'suspended';
  readonly created_at: string;
  /** ISO 8601, or null for a key that does not expire. */
  readonly expires_at: string | null;
  readonly limits: Limits;
}

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const SHAPE = /^knr_(live|test)_([0-9A-Za-z]{12})_([0-9A-Za-z]{32})([0-9A-Za-z]{6})$/;

const randomText = (length: number) =>
  Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('');

/** CRC-32 of ASCII text (ISO 3309). Loading node:zlib for this would add 3 ms to every cold start. */
export function crc32(text: string): number {
  let remainder = 0xffffffff;
  for (let at = 0; at < text.length; at += 1) {
    remainder ^= text.charCodeAt(at);
    for (let bit = 0; bit < 8; bit += 1) remainder = (remainder >>> 1) ^ (0xedb88320 & -(remainder & 1));
  }
  return ~remainder >>> 0;
}

function checksum(text: string): string {
  let value = crc32(text);
  let digits = '';
  for (let place = 0; place < 6; place += 1) {
    digits = alphabet[value % 62] + digits;
    value = Math.floor(value / 62);
  }
  return digits;
}

/** A new key: its id, and its text with 190 secret bits. The text is shown only once. */
export function newApiKey(mode: KeyMode): { id: string; text: string } {
  const id = randomText(12);
  const body = `knr_${mode}_${id}_${randomText(32)}`;
  return { id, text: body + checksum(body) };
}

/** The id within a key, or null if the text cannot be a key. */
export function keyIdOf(text: string): string | null {
  const match = SHAPE.exec(text);
  if (match === null) return null;
  return checksum(text.slice(0, -6)) === match[4] ? (match[2] ?? null) : null;
}

export const hashOfKey = (text: string): string => createHash('sha256').update(text).digest('base64');

/** Compares the text of a key with a stored hash, in constant time. */
export function matchesHash(text: string, hash: string): boolean {
  const presented = Buffer.from(hashOfKey(text), 'base64');
  const stored = Buffer.from(hash, 'base64');
  return presented.length === stored.length && timingSafeEqual(presented, stored);
}

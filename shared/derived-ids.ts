/** UUIDv7 that are computed from a name or a request. The same name or request gives the same id. */
import { createHash } from 'node:crypto';
import { defined } from './checked-access.ts';

/** The id has the time of the request's id, then `at` in 12 bits (RFC 9562 §6.2), then a hash of the id and `at`. */
export function derivedId(requestId: string, at: number): string {
  const digest = createHash('sha256').update(`${requestId}#${at}`).digest();
  const time = requestId.slice(0, 13);
  const counter = (at & 0xfff).toString(16).padStart(3, '0');
  const variant = ((defined(digest[0]) & 0x3f) | 0x80).toString(16).padStart(2, '0');
  return `${time}-7${counter}-${variant}${digest.toString('hex', 1, 2)}-${digest.toString('hex', 2, 8)}`;
}

/** A UUIDv7 of a moment. The other 74 bits are a hash of a name. */
export function namedId(at: Date, name: string): string {
  const digest = createHash('sha256').update(name).digest('hex');
  const variant = ((Number.parseInt(digest.slice(3, 5), 16) & 0x3f) | 0x80).toString(16);
  return `${timeOf(at.getTime())}-7${digest.slice(0, 3)}-${variant}${digest.slice(5, 7)}-${digest.slice(7, 19)}`;
}

/** The least (`0`) or greatest (`f`) id with this time, in milliseconds since the epoch. */
export function idAt(milliseconds: number, fill: '0' | 'f'): string {
  return [timeOf(milliseconds), ...[4, 4, 12].map((length) => fill.repeat(length))].join('-');
}

/** RFC 9562 §5.7: a UUIDv7 begins with 48 bits of milliseconds. */
function timeOf(milliseconds: number): string {
  const time = Math.max(0, milliseconds).toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}`;
}

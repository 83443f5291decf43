/** Ids of the things that one request creates: the same again when the request is repeated. */
import { createHash } from 'node:crypto';

/**
 * UUIDv7 number `at` of a request, from 0 to 4095. It has the time of the request's own id; the 12 bits after it
 * count, so that the ids of one request sort in its order (RFC 9562 §6.2), and the other 62 are drawn from the
 * request's id and the number.
 */
export function derivedId(requestId: string, at: number): string {
  const digest = createHash('sha256').update(`${requestId}#${at}`).digest();
  const time = requestId.slice(0, 13);
  const counter = (at & 0xfff).toString(16).padStart(3, '0');
  const variant = ((digest[0]! & 0x3f) | 0x80).toString(16).padStart(2, '0');
  return `${time}-7${counter}-${variant}${digest.toString('hex', 1, 2)}-${digest.toString('hex', 2, 8)}`;
}

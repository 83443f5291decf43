/** Parses the Range header: one range of bytes (RFC 9110 §14), with the restrictions of S3. */
import { S3Error } from './errors.ts';

/** The bytes from `start` to `end`, exclusive. */
export type ByteRange = { start: number; end: number };

/**
 * Returns undefined if the whole object must be sent: the header is missing, has several ranges, or has a unit or syntax that S3
 * does not know. Throws InvalidRange if no byte of the object is in the range.
 */
export function parseRange(header: string | undefined, size: number): ByteRange | undefined {
  const [, first, last] = /^bytes=(\d*)-(\d*)$/.exec(header?.replaceAll(' ', '') ?? '') ?? [];
  if (first === undefined || last === undefined || (first === '' && last === '')) return undefined;
  if (first !== '' && last !== '' && Number(last) < Number(first)) return undefined;
  const range =
    first === ''
      ? { start: Math.max(size - Number(last), 0), end: size }
      : { start: Number(first), end: last === '' ? size : Math.min(Number(last) + 1, size) };
  if (range.start >= range.end) {
    throw new S3Error('InvalidRange', undefined, { RangeRequested: header!, ActualObjectSize: size });
  }
  return range;
}

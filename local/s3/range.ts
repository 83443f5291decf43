/** The Range header: one range of bytes, as RFC 9110 §14 defines it and S3 answers it. */

import { S3Error } from './errors.ts';

/** The bytes from `start` to before `end`. */
export type ByteRange = { start: number; end: number };

/**
 * Returns undefined if the whole object must be sent: no header, several ranges, or a unit or syntax that S3 does not
 * know. Throws InvalidRange if the range contains no byte of the object.
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

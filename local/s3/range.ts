/** The Range header: one range of bytes, as RFC 9110 §14 defines it and S3 answers it. */

import { S3Error } from './errors.ts';

/** The bytes from `start` to before `end`. */
export type ByteRange = { start: number; end: number };

/**
 * Returns undefined where the whole object is to be sent: no header, a unit or syntax S3 does not know, several
 * ranges. Throws InvalidRange if no byte of the object is asked for.
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

/** Conditional requests and ranges, which CloudFront answers from its copy of the object (RFC 9110 §13, §14). */
import { type Answer, fieldOf, type Headers } from './message.ts';

/** Returns 304 or 412 if a condition requires it, otherwise the answer. */
export function applyConditions(answer: Answer, request: Headers): Answer {
  if (answer.status !== 200) return answer;
  const etag = answer.headers.etag?.[0] ?? '';
  const modified = Date.parse(answer.headers['last-modified']?.[0] ?? '');

  const ifMatch = fieldOf(request, 'if-match');
  const unmodifiedSince = Date.parse(fieldOf(request, 'if-unmodified-since') ?? '');
  const hasChanged =
    ifMatch === undefined ? modified > unmodifiedSince : !names(ifMatch, etag, isStrongMatch);
  if (hasChanged) return { status: 412, headers: {}, body: Buffer.alloc(0) };

  const ifNoneMatch = fieldOf(request, 'if-none-match');
  const modifiedSince = Date.parse(fieldOf(request, 'if-modified-since') ?? '');
  const isKnown =
    ifNoneMatch === undefined ? modified <= modifiedSince : names(ifNoneMatch, etag, isWeakMatch);
  return isKnown ? notModified(answer) : answer;
}

const names = (field: string, etag: string, matches: (one: string, other: string) => boolean) =>
  field.trim() === '*' || (field.match(/(?:W\/)?"[^"]*"/g) ?? []).some((tag) => matches(tag, etag));

const isWeakMatch = (one: string, other: string) => one.replace(/^W\//, '') === other.replace(/^W\//, '');
const isStrongMatch = (one: string, other: string) => one === other && !one.startsWith('W/');

/** Returns a 304 for an answer. Like the 304 of S3, it has neither type nor length. */
function notModified({ headers }: Answer): Answer {
  const kept = ['cache-control', 'etag', 'last-modified', 'vary'];
  return {
    status: 304,
    headers: Object.fromEntries(Object.entries(headers).filter(([name]) => kept.includes(name))),
    body: Buffer.alloc(0),
  };
}

/** Applies the Range header. Returns 206 or 416 for a single range of bytes. For several ranges, returns the whole object, as S3 does. */
export function applyRange(answer: Answer, request: Headers): Answer {
  const range = /^bytes=(\d*)-(\d*)$/.exec(fieldOf(request, 'range')?.trim() ?? '');
  const isAsked = range !== null && (range[1] !== '' || range[2] !== '');
  if (answer.status !== 200 || !isAsked || !isCurrent(answer, request)) return answer;

  const size = answer.body.length;
  const isSuffix = range[1] === '';
  const first = isSuffix ? Math.max(0, size - Number(range[2])) : Number(range[1]);
  const last = isSuffix || range[2] === '' ? size - 1 : Math.min(Number(range[2]), size - 1);
  // A range is invalid if its end is before its start (RFC 9110 §14.1.1).
  if (!isSuffix && range[2] !== '' && Number(range[2]) < Number(range[1])) return answer;
  if (first > last) {
    return { status: 416, headers: { 'content-range': [`bytes */${size}`] }, body: Buffer.alloc(0) };
  }
  const body = answer.body.subarray(first, last + 1);
  return {
    status: 206,
    headers: {
      ...answer.headers,
      'content-length': [String(body.length)],
      'content-range': [`bytes ${first}-${last}/${size}`],
    },
    body,
  };
}

/** Whether the range applies: If-Range is absent or contains the ETag or date of the current object. */
function isCurrent({ headers }: Answer, request: Headers): boolean {
  const condition = fieldOf(request, 'if-range');
  if (condition === undefined) return true;
  if (condition.startsWith('"')) return condition === headers.etag?.[0];
  return Date.parse(condition) === Date.parse(headers['last-modified']?.[0] ?? '');
}

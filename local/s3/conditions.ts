/** Evaluates conditional requests: reads by RFC 9110 §13, writes by the rules of S3. */
import { S3Error } from './errors.ts';
import type { S3Request } from './request.ts';
import type { ObjectRecord } from './store/records.ts';

/** Returns false if a GET must be answered with 304. Throws PreconditionFailed if a condition is not met. RFC 9110 §13.2.2 has the order. */
export function isWanted(request: S3Request, record: ObjectRecord): boolean {
  const { ifNoneMatch, ifModifiedSince } = checkRequirements(request, '', record);
  if (ifNoneMatch !== undefined) return ifNoneMatch;
  return ifModifiedSince ?? true;
}

/** Throws PreconditionFailed if the source of a copy does not meet the conditions of the x-amz-copy-source-if-* headers. */
export function checkCopySource(request: S3Request, record: ObjectRecord): void {
  const { ifNoneMatch, ifModifiedSince } = checkRequirements(request, 'x-amz-copy-source-', record);
  if (ifNoneMatch === false) throw failed('x-amz-copy-source-If-None-Match');
  if (ifNoneMatch === undefined && ifModifiedSince === false)
    throw failed('x-amz-copy-source-If-Modified-Since');
}

/** Returns a check for the conditions of a write. It must be called with the object that exists at the time of the write. */
export function writeCondition(request: S3Request): (current: ObjectRecord | undefined) => void {
  const ifMatch = request.header('if-match');
  const ifNoneMatch = request.header('if-none-match');
  if (ifNoneMatch !== undefined && ifNoneMatch !== '*') throw new S3Error('NotImplemented');
  return (current) => {
    if (ifNoneMatch !== undefined && current) throw failed('If-None-Match');
    if (ifMatch !== undefined) requireMatch(ifMatch, request.key ?? '', current);
  };
}

/** Throws NoSuchKey if the object does not exist, and PreconditionFailed if it has another ETag. */
export function requireMatch(ifMatch: string, key: string, current: ObjectRecord | undefined): void {
  if (!current) throw new S3Error('NoSuchKey', undefined, { Key: key });
  if (!matches(ifMatch, current.etag)) throw failed('If-Match');
}

/** Whether a range applies: If-Range is absent or contains the ETag or date of the current object. */
export function rangeApplies(request: S3Request, record: ObjectRecord): boolean {
  const ifRange = request.header('if-range');
  if (ifRange === undefined) return true;
  return ifRange.startsWith('"')
    ? matches(ifRange, record.etag)
    : toSeconds(record.modified) === Date.parse(ifRange);
}

type Outcome = { ifNoneMatch?: boolean; ifModifiedSince?: boolean };

/** Evaluates each condition that is present. Throws if a condition that applies to all methods is not met. */
function checkRequirements(request: S3Request, prefix: string, record: ObjectRecord): Outcome {
  const header = (name: string) => request.header(`${prefix}${name}`);
  const time = (name: string) => Date.parse(header(name) ?? '');
  const modified = toSeconds(record.modified);
  const outcome: Outcome = {};

  const ifMatch = header('if-match');
  if (ifMatch !== undefined && !matches(ifMatch, record.etag)) throw failed(`${prefix}If-Match`);
  if (ifMatch === undefined && modified > time('if-unmodified-since'))
    throw failed(`${prefix}If-Unmodified-Since`);

  const ifNoneMatch = header('if-none-match');
  if (ifNoneMatch !== undefined) outcome.ifNoneMatch = !matches(ifNoneMatch, record.etag);
  const since = time('if-modified-since');
  if (!Number.isNaN(since)) outcome.ifModifiedSince = modified > since;
  return outcome;
}

function matches(condition: string, etag: string): boolean {
  return condition
    .split(',')
    .map((each) =>
      each
        .trim()
        .replace(/^W\//, '')
        .replace(/^"(.*)"$/, '$1'),
    )
    .some((each) => each === '*' || each === etag);
}

/** Removes the milliseconds, because HTTP dates have none. */
function toSeconds(time: number): number {
  return Math.floor(time / 1000) * 1000;
}

function failed(condition: string): S3Error {
  return new S3Error('PreconditionFailed', undefined, { Condition: condition });
}

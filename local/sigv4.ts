/**
 * Computes AWS Signature Version 4 by the rules for S3: no path normalization, and one percent-encoding. It also works for other
 * services, because the path of their requests is `/`.
 */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';

export const ALGORITHM = 'AWS4-HMAC-SHA256';
export const EMPTY_SHA256 = sha256('');

/** The scope of a signature. `date` has the form `yyyymmddThhmmssZ`. The signed scope contains its day, region, service and terminator. */
export type Scope = { date: string; region: string; service: string };

export type Signable = {
  method: string;
  path: string;
  query: [name: string, value: string][];
  headers: Map<string, string>;
  signedHeaders: string[];
  payloadHash: string;
};

export function requestSignature(secret: string, scope: Scope, request: Signable): string {
  const text = [ALGORITHM, scope.date, scopeText(scope), sha256(canonicalRequest(request))].join('\n');
  return sign(signingKey(secret, scope), text);
}

export function signingKey(secret: string, { date, region, service }: Scope): Buffer {
  return [date.slice(0, 8), region, service, 'aws4_request'].reduce<Buffer>(
    (key, text) => createHmac('sha256', key).update(text).digest(),
    Buffer.from(`AWS4${secret}`),
  );
}

export function scopeText({ date, region, service }: Scope): string {
  return `${date.slice(0, 8)}/${region}/${service}/aws4_request`;
}

export function sign(key: Buffer, text: string): string {
  return createHmac('sha256', key).update(text).digest('hex');
}

/** Returns the hash of the bytes of a text. Node decodes headers as Latin-1, so this encodes the text as Latin-1 again. */
export function sha256(text: string): string {
  return createHash('sha256').update(Buffer.from(text, 'latin1')).digest('hex');
}

export function sameSignature(given: string, expected: string): boolean {
  return (
    given.length === expected.length && timingSafeEqual(Buffer.from(given, 'latin1'), Buffer.from(expected))
  );
}

/** Parses `yyyymmddThhmmssZ` to milliseconds since the epoch. Returns NaN for other texts. */
export function parseDate(date: string): number {
  const parts = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(date);
  return parts
    ? Date.parse(`${parts[1]}-${parts[2]}-${parts[3]}T${parts[4]}:${parts[5]}:${parts[6]}Z`)
    : Number.NaN;
}

function canonicalRequest(request: Signable): string {
  const query = request.query
    .map(([name, value]) => [uriEncode(name), uriEncode(value)] as const)
    .sort(([a, x], [b, y]) => compare(a, b) || compare(x, y))
    .map(([name, value]) => `${name}=${value}`)
    .join('&');
  const headers = request.signedHeaders.map(
    (name) => `${name}:${(request.headers.get(name) ?? '').trim().replace(/ +/g, ' ')}\n`,
  );
  return [
    request.method,
    request.path.split('/').map(uriEncode).join('/'),
    query,
    headers.join(''),
    request.signedHeaders.join(';'),
    request.payloadHash,
  ].join('\n');
}

/** Encodes all characters except the unreserved ones of RFC 3986. */
export function uriEncode(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/**
 * The representation of a response: plain, or gzipped if it is large and the caller accepts gzip. Each has its own
 * entity tag, as strong validators require (RFC 9110 §8.8.3.3).
 */
import { acceptsGzip } from '../../edge/encoding.ts';
import { Problem } from '../../shared/problems.ts';
import { zlib } from '../../shared/zlib.ts';
import type { HttpEvent, HttpReply } from './http.ts';
import { isNamed } from './if-none-match.ts';
import { answering } from './methods.ts';

/** Length in characters from which compression saves more time than it takes to load zlib. */
const LARGE = 16 * 1024;
/** The gzip level. A higher level takes twice the time, and makes a long transcript only 4 % smaller. */
const LEVEL = 4;
/** Suffix of the version in an entity tag. A version never contains `+`. */
const gzipMark = '+gzip';
/**
 * The longest response of a function, as JSON. Lambda replaces a longer one by a 500 (Lambda quotas, synchronous
 * payload).
 */
export const REPLY_LIMIT_BYTES = 6_291_556;
/** Bytes for the headers that are added later. */
const HEADROOM_BYTES = 2_048;
/** The maximum bytes of JSON for one character of a body: those of a control character. */
const MAX_BYTES_A_CHARACTER = 6;

/** Selects the representation, and handles If-None-Match with its tag. Throws answer_too_large above the limit of Lambda. */
export function represented(reply: HttpReply, event: HttpEvent): HttpReply {
  const isLarge = reply.body.length >= LARGE;
  const isGzip = isLarge && acceptsGzip(event.headers?.['accept-encoding'] ?? '');
  const tag = reply.headers.ETag;
  const etag = isGzip && tag !== undefined ? tag.replace(/"$/, `${gzipMark}"`) : tag;
  const headers: Readonly<Record<string, string>> = {
    ...reply.headers,
    ...(etag !== undefined && { ETag: etag }),
    ...(isLarge && { Vary: 'Accept-Encoding' }),
  };
  const isAsked = answering(event.requestContext.http.method) === 'GET' && reply.statusCode === 200;
  if (isAsked && etag !== undefined && isNamed(etag, event.headers?.['if-none-match'])) {
    const { 'Content-Type': _, ...kept } = headers;
    return { statusCode: 304, headers: kept, body: '' };
  }
  return requireSendable(isGzip ? gzipped({ ...reply, headers }) : { ...reply, headers }, isGzip);
}

/** The version in If-Match, for the tags of all representations. Undefined if any version matches. */
export function versionOf(ifMatch: string | undefined): string | undefined {
  const tag = ifMatch?.trim();
  if (tag === undefined || tag === '*') return undefined;
  return tag.replace(/^"|"$/g, '').replace(gzipMark, '');
}

const gzipped = ({ statusCode, headers, body, isBase64Encoded }: HttpReply): HttpReply => ({
  statusCode,
  headers: { ...headers, 'Content-Encoding': 'gzip' },
  body: zlib()
    .gzipSync(isBase64Encoded === true ? Buffer.from(body, 'base64') : body, { level: LEVEL })
    .toString('base64'),
  isBase64Encoded: true,
});

function requireSendable(reply: HttpReply, isGzip: boolean): HttpReply {
  const limit = REPLY_LIMIT_BYTES - HEADROOM_BYTES;
  // Measures the bytes only if they may exceed the limit: measuring takes as long as writing the response.
  if (reply.body.length * MAX_BYTES_A_CHARACTER <= limit) return reply;
  const bytes = Buffer.byteLength(JSON.stringify(reply));
  if (bytes <= limit) return reply;
  const cure = isGzip ? '' : ' Accept-Encoding: gzip makes it smaller.';
  throw new Problem(
    'answer_too_large',
    `The answer takes ${bytes} bytes, of ${limit} that can be sent.${cure}`,
  );
}

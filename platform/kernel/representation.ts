/**
 * The representation of an answer that a caller receives: plain, or gzipped where it is large and gzip is accepted.
 * Each has an entity tag of its own, as strong ones must (RFC 9110 §8.8.3.3).
 */

import { acceptsGzip } from '../../edge/encoding.ts';
import { Problem } from '../../shared/problems.ts';
import { zlib } from '../../shared/zlib.ts';
import type { HttpEvent, HttpReply } from './http.ts';
import { isNamed } from './if-none-match.ts';
import { answering } from './methods.ts';

/** How many characters a body has from which on compressing saves more time than loading zlib costs. */
const LARGE = 16 * 1024;
/** The level of gzip. At higher ones a long transcript takes twice the time, to become 4 % smaller. */
const LEVEL = 4;
/** What is appended to the version within an entity tag; a version holds no `+`. */
const gzipMark = '+gzip';
/**
 * The longest answer of a function, as JSON. Lambda replaces what is longer by a 500 (Lambda quotas,
 * synchronous payload).
 */
export const REPLY_LIMIT_BYTES = 6_291_556;
/** How much is left for the headers that are added after this. */
const HEADROOM_BYTES = 2_048;
/** Bytes of JSON that one character of a body becomes at most: that of a control character. */
const MAX_BYTES_A_CHARACTER = 6;

/** Selects the representation, and answers If-None-Match by its tag. Throws answer_too_large. */
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

/** The version that If-Match names, whichever representation its tag is of; undefined where any will do. */
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
  // Measured only where it can matter: it takes as long as writing the answer did.
  if (reply.body.length * MAX_BYTES_A_CHARACTER <= limit) return reply;
  const bytes = Buffer.byteLength(JSON.stringify(reply));
  if (bytes <= limit) return reply;
  const cure = isGzip ? '' : ' Accept-Encoding: gzip makes it smaller.';
  throw new Problem(
    'answer_too_large',
    `The answer takes ${bytes} bytes, of ${limit} that can be sent.${cure}`,
  );
}

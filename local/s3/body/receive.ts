/** Reads the body of a request once, and checks its length, signatures and checksums. */
import { createHash } from 'node:crypto';
import type { Payload } from '../auth/authenticate.ts';
import { S3Error } from '../errors.ts';
import type { S3Request } from '../request.ts';
import {
  type ChecksumAlgorithm,
  type Checksums,
  declaredChecksum,
  expectChecksum,
  startChecksum,
  wellFormed,
} from './checksums.ts';
import { decodeChunked } from './chunked.ts';

export type Received = {
  /** The number of bytes of decoded data. */
  size: number;
  md5: Buffer;
  /** The checksum that the client sent, and the checksums that the caller requested in `wanted`. */
  checksums: Checksums;
};

/** The maximum size of an object in one PUT, and of a part, bytes. */
export const MAX_BODY_BYTES = 5 * 1024 ** 3;

/**
 * Passes the decoded data to `write` in pieces. Checks the length, the signatures, Content-MD5 and the checksum. The caller must
 * not show the data before this function returns.
 */
export async function receive(
  request: S3Request,
  payload: Payload,
  write: (data: Buffer) => Promise<void> | void,
  { wanted = [], limit = MAX_BODY_BYTES }: { wanted?: ChecksumAlgorithm[]; limit?: number } = {},
): Promise<Received> {
  const declared = declaredChecksum(request);
  const contentMd5 = declaredMd5(request);
  const length = declaredLength(request, payload);
  if (length > limit)
    throw new S3Error('EntityTooLarge', undefined, { ProposedSize: length, MaxSizeAllowed: limit });

  const algorithms = new Set([...wanted, ...(declared ? [declared.algorithm] : [])]);
  const running = new Map([...algorithms].map((algorithm) => [algorithm, startChecksum(algorithm)]));
  const md5 = createHash('md5');
  const sha256 = payload.sha256 === undefined ? undefined : createHash('sha256');
  const trailer = new Map<string, string>();
  let size = 0;

  request.invite();
  for await (const data of bodyOf(request, payload, trailer)) {
    size += data.length;
    if (size > length) throw new S3Error('IncompleteBody');
    md5.update(data);
    sha256?.update(data);
    for (const checksum of running.values()) checksum.update(data);
    await write(data);
  }

  if (size !== length) throw new S3Error('IncompleteBody');
  if (sha256 && sha256.digest('hex') !== payload.sha256) throw new S3Error('XAmzContentSHA256Mismatch');
  const digest = md5.digest();
  if (contentMd5 && !contentMd5.equals(digest)) throw new S3Error('BadDigest');
  const checksums: Checksums = {};
  for (const [algorithm, checksum] of running) checksums[algorithm] = checksum.digest().toString('base64');
  if (declared) {
    const given = 'value' in declared ? declared.value : trailer.get(declared.trailer);
    if (given === undefined) throw new S3Error('MalformedTrailerError');
    expectChecksum(declared.algorithm, wellFormed(declared.algorithm, given), checksums[declared.algorithm]);
  }
  return { size, md5: digest, checksums };
}

/** Returns the body as text, for operations with an XML document. */
export async function receiveText(request: S3Request, payload: Payload, limit: number): Promise<string> {
  const pieces: Buffer[] = [];
  await receive(request, payload, (data) => void pieces.push(data), { limit });
  return Buffer.concat(pieces).toString('utf8');
}

/** Like `receiveText`, but throws InvalidRequest if the request has no checksum of the body. S3 requires one for some operations. */
export function receiveProvenText(request: S3Request, payload: Payload, limit: number): Promise<string> {
  const isProven = declaredMd5(request) !== undefined || declaredChecksum(request) !== undefined;
  if (!isProven) {
    throw new S3Error(
      'InvalidRequest',
      'Missing required header for this request: Content-MD5 OR x-amz-checksum-*',
    );
  }
  return receiveText(request, payload, limit);
}

function bodyOf(request: S3Request, payload: Payload, trailer: Map<string, string>): AsyncIterable<Buffer> {
  // If the loop ends early, the connection must stay open, because the client waits for an error message.
  const source: AsyncIterable<Buffer> = {
    [Symbol.asyncIterator]: () => request.incoming.iterator({ destroyOnReturn: false }),
  };
  if (!payload.chunked) return source;
  return decodeChunked(source, { ...payload.chunked, onTrailer: (name, value) => trailer.set(name, value) });
}

/** Returns the number of bytes that the client announces. S3 refuses data without an announced length. */
function declaredLength(request: S3Request, payload: Payload): number {
  const text = request.header(payload.chunked ? 'x-amz-decoded-content-length' : 'content-length');
  if (text === undefined) throw new S3Error('MissingContentLength');
  if (!/^\d{1,15}$/.test(text))
    throw new S3Error('InvalidArgument', 'The content length is not a number of bytes');
  return Number(text);
}

function declaredMd5(request: S3Request): Buffer | undefined {
  const text = request.header('content-md5');
  if (text === undefined) return undefined;
  const digest = Buffer.from(text, 'base64');
  if (digest.length !== 16 || digest.toString('base64') !== text) throw new S3Error('InvalidDigest');
  return digest;
}

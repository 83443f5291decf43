/** Checks the signatures in an aws-chunked body. They form a chain: each signature covers the previous one. */
import { createHash, type Hash } from 'node:crypto';
import { EMPTY_SHA256, type Scope, sameSignature, scopeText, sha256, sign } from '../../sigv4.ts';
import { S3Error } from '../errors.ts';

export type ChunkSigner = {
  /** Adds data to the current chunk. */
  update(data: Buffer): void;
  /** Ends the current chunk, also if it is the empty last one. Throws SignatureDoesNotMatch if its signature is wrong. */
  endChunk(signature: string): void;
  /** Checks the signature of trailing headers, in the form `name:value\n`. Throws SignatureDoesNotMatch if it is wrong. */
  checkTrailer(trailer: string, signature: string): void;
};

/** Source: "Signature calculations for the Authorization header: transferring payload in multiple chunks". */
export function chunkSigner(key: Buffer, scope: Scope, seed: string): ChunkSigner {
  let previous = seed;
  let hash: Hash = createHash('sha256');
  const check = (given: string, kind: string, hashes: string[]) => {
    const text = [`AWS4-HMAC-SHA256-${kind}`, scope.date, scopeText(scope), previous, ...hashes].join('\n');
    const expected = sign(key, text);
    if (!sameSignature(given, expected)) throw new S3Error('SignatureDoesNotMatch');
    previous = expected;
  };
  return {
    update: (data) => void hash.update(data),
    endChunk(signature) {
      check(signature, 'PAYLOAD', [EMPTY_SHA256, hash.digest('hex')]);
      hash = createHash('sha256');
    },
    checkTrailer: (trailer, signature) => check(signature, 'TRAILER', [sha256(trailer)]),
  };
}

/** Decodes aws-chunked bodies. A body consists of chunks with their size and an optional signature, and then an optional trailer. */
import type { ChunkSigner } from '../auth/chunk-signer.ts';
import { S3Error } from '../errors.ts';

export type ChunkedOptions = {
  signer?: ChunkSigner;
  /** Whether there are headers after the last chunk. */
  trailer: boolean;
  /** Called for each trailing header when the whole trailer has been verified. The name is in lower case. */
  onTrailer(name: string, value: string): void;
};

/**
 * Yields the data as it arrives, without waiting for whole chunks. Throws IncompleteBody if the body violates the format or ends
 * too early. Throws SignatureDoesNotMatch if the signature of a chunk or of the trailer is wrong.
 */
export async function* decodeChunked(
  source: AsyncIterable<Buffer>,
  { signer, trailer, onTrailer }: ChunkedOptions,
): AsyncGenerator<Buffer> {
  const reader = byteReader(source);
  for (;;) {
    const { size, signature } = parseChunkHeader(await reader.line());
    if (signer && signature === undefined) throw new S3Error('SignatureDoesNotMatch');
    for await (const data of reader.take(size)) {
      signer?.update(data);
      yield data;
    }
    signer?.endChunk(signature!);
    if (size === 0) break;
    if ((await reader.line()) !== '') throw malformed();
  }
  const lines = await readTrailer(reader);
  if (!trailer && lines.length > 0) throw malformed();
  await reader.end();
  for (const [name, value] of verifiedTrailer(lines, signer)) onTrailer(name, value);
}

type ByteReader = {
  line(): Promise<string>;
  take(size: number): AsyncGenerator<Buffer>;
  /** Throws if the body has more bytes after its end. */
  end(): Promise<void>;
};

/** The maximum length of a header line in a chunk or trailer, bytes. */
const MAX_LINE_BYTES = 1024;

function byteReader(source: AsyncIterable<Buffer>): ByteReader {
  const iterator = source[Symbol.asyncIterator]();
  let pending: Buffer = Buffer.alloc(0);
  const refill = async () => {
    const next = await iterator.next();
    if (next.done) throw malformed();
    pending = pending.length === 0 ? next.value : Buffer.concat([pending, next.value]);
  };
  return {
    async line() {
      for (;;) {
        const end = pending.indexOf('\r\n');
        if (end > MAX_LINE_BYTES || (end < 0 && pending.length > MAX_LINE_BYTES)) throw malformed();
        if (end >= 0) {
          const line = pending.toString('latin1', 0, end);
          pending = pending.subarray(end + 2);
          return line;
        }
        await refill();
      }
    },
    async *take(size) {
      for (let left = size; left > 0; ) {
        if (pending.length === 0) await refill();
        const data = pending.subarray(0, left);
        pending = pending.subarray(data.length);
        left -= data.length;
        if (data.length > 0) yield data;
      }
    },
    async end() {
      while (pending.length === 0) {
        const next = await iterator.next();
        if (next.done) return;
        pending = next.value;
      }
      throw malformed();
    },
  };
}

function parseChunkHeader(line: string): { size: number; signature?: string } {
  const parts = /^([0-9a-f]{1,13})(?:;chunk-signature=([0-9a-f]{64}))?$/i.exec(line);
  if (!parts) throw malformed();
  return { size: Number.parseInt(parts[1]!, 16), ...(parts[2] && { signature: parts[2] }) };
}

/** Reads lines until the empty line, which also signed trailers have. */
async function readTrailer(reader: ByteReader): Promise<string[]> {
  const lines: string[] = [];
  for (let line = await reader.line(); line !== ''; line = await reader.line()) {
    lines.push(line);
    if (lines.length > 16) throw malformed();
  }
  return lines;
}

const trailerSignature = 'x-amz-trailer-signature';

function verifiedTrailer(lines: string[], signer: ChunkSigner | undefined): [name: string, value: string][] {
  const headers = lines.map((line): [string, string] => {
    const colon = line.indexOf(':');
    if (colon < 1) throw new S3Error('MalformedTrailerError');
    return [line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim()];
  });
  const signature = headers.find(([name]) => name === trailerSignature)?.[1];
  const rest = headers.filter(([name]) => name !== trailerSignature);
  if (signer && rest.length > 0) {
    signer.checkTrailer(rest.map(([name, value]) => `${name}:${value}\n`).join(''), signature ?? '');
  }
  return rest;
}

function malformed(): S3Error {
  return new S3Error(
    'IncompleteBody',
    'The request body terminated unexpectedly or is not valid aws-chunked.',
  );
}

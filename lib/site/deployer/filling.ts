/** Replaces the placeholders in the objects of a site, including compressed objects. */
import { brotliCompressSync, brotliDecompressSync, constants, gunzipSync, gzipSync } from 'node:zlib';
import type { ArchivedObject } from '../archive.ts';
import { type Filling, filled } from '../placeholders.ts';

interface Coding {
  readonly decode: (body: Buffer) => Buffer;
  readonly encode: (body: Buffer) => Buffer;
}

/** The quality is lower than that of the build (11), because a deployment waits for the compression. */
const BROTLI_QUALITY = 9;

const codings: Readonly<Record<string, Coding>> = {
  br: {
    decode: brotliDecompressSync,
    encode: (body) =>
      brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } }),
  },
  gzip: { decode: gunzipSync, encode: (body) => gzipSync(body, { level: 9 }) },
};

const identity: Coding = { decode: (body) => body, encode: (body) => body };

export function withFilled(objects: readonly ArchivedObject[], filling: Filling): ArchivedObject[] {
  const placeholders = Object.keys(filling);
  return objects.map((object) =>
    placeholders.length === 0 ? object : filledObject(object, placeholders, filling),
  );
}

function filledObject(
  object: ArchivedObject,
  placeholders: readonly string[],
  filling: Filling,
): ArchivedObject {
  const { decode, encode } = codings[object.contentEncoding ?? ''] ?? identity;
  const plain = decode(object.body);
  if (!placeholders.some((placeholder) => plain.includes(placeholder))) return object;
  return { ...object, body: encode(Buffer.from(filled(plain.toString(), filling))) };
}

/**
 * Packs all objects of a site into one file, so that one asset contains bodies and headers. Format: four bytes with the length of
 * the index, the index as JSON, and the bodies in the order of the index.
 */
import { createHash } from 'node:crypto';

export interface ObjectHeaders {
  readonly contentType: string;
  readonly contentEncoding?: string;
  readonly contentLanguage?: string;
  readonly cacheControl: string;
  /** User metadata of the object, without the prefix `x-amz-meta-`. */
  readonly metadata: Readonly<Record<string, string>>;
}

export interface ArchivedObject extends ObjectHeaders {
  readonly key: string;
  readonly body: Buffer;
}

interface Entry extends ObjectHeaders {
  readonly key: string;
  readonly bytes: number;
}

/** Packs objects. The bytes do not depend on the order of the objects. */
export function pack(objects: readonly ArchivedObject[]): Buffer {
  const sorted = [...objects].sort((one, other) => (one.key < other.key ? -1 : 1));
  const entries = sorted.map(({ body, ...object }): Entry => ({ ...object, bytes: body.length }));
  const index = Buffer.from(JSON.stringify(entries));
  const length = Buffer.alloc(4);
  length.writeUInt32BE(index.length);
  return Buffer.concat([length, index, ...sorted.map(({ body }) => body)]);
}

export function unpack(archive: Buffer): ArchivedObject[] {
  const bodies = 4 + archive.readUInt32BE();
  const entries = JSON.parse(archive.subarray(4, bodies).toString()) as Entry[];
  let at = bodies;
  return entries.map(({ bytes, ...object }) => {
    const body = archive.subarray(at, at + bytes);
    at += bytes;
    return { ...object, body };
  });
}

/** Hex SHA-256 of the body and the S3 properties. */
export function digestOf({ body, ...headers }: ArchivedObject): string {
  return createHash('sha256').update(JSON.stringify(headers)).update(body).digest('hex');
}

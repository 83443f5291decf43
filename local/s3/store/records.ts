/** Records of objects, uploads and parts. Each is one JSON document on the disk. */

import type { ChecksumAlgorithm, Checksums, ChecksumType } from '../body/checksums.ts';
import type { Segment } from './data-files.ts';

/** A name and a value that label an object; they are no part of its content or its headers. */
export type Tag = { key: string; value: string };

export type ObjectRecord = {
  key: string;
  size: number;
  /** The entity tag without its quotes. */
  etag: string;
  /** Milliseconds since the epoch. */
  modified: number;
  /** Response headers that were given with the object: content-type, x-amz-meta-* and so on. */
  headers: Record<string, string>;
  tags: Tag[];
  checksums: Checksums;
  checksumType: ChecksumType;
  segments: Segment[];
  /** In buckets that keep versions; an object that was there before has none. */
  versionId?: string;
  /** The multipart upload that made it: a repeated completion recognises its own work. */
  uploadId?: string;
};

export type PartRecord = {
  number: number;
  size: number;
  etag: string;
  modified: number;
  checksums: Checksums;
  segments: Segment[];
};

export type UploadRecord = {
  id: string;
  key: string;
  initiated: number;
  headers: Record<string, string>;
  /** Tags that the object will get. */
  tags: Tag[];
  checksum?: { algorithm: ChecksumAlgorithm; type: ChecksumType };
};

/** A document that was written before objects had tags says nothing of them. */
export function withTags<Stored extends { tags: Tag[] }>(stored: Stored): Stored {
  return { ...stored, tags: stored.tags ?? [] };
}

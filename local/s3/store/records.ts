/** Records of objects, uploads and parts. Each is one JSON document on the disk. */

import type { ChecksumAlgorithm, Checksums, ChecksumType } from '../body/checksums.ts';
import type { Segment } from './data-files.ts';

/** A label of an object. It is not part of the content or the headers. */
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
  /** Only in buckets that keep versions. Older objects have none. */
  versionId?: string;
  /** The multipart upload that made the object, so that a repeated completion finds its result. */
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

/** Adds an empty list of tags to documents of earlier versions, which have none. */
export function withTags<Stored extends { tags: Tag[] }>(stored: Stored): Stored {
  return { ...stored, tags: stored.tags ?? [] };
}

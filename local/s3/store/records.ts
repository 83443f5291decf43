/** The records of objects, uploads and parts. Each record is a JSON document on the disk. */
import type { ChecksumAlgorithm, Checksums, ChecksumType } from '../body/checksums.ts';
import type { Segment } from './data-files.ts';

/** A tag of an object. It is not part of the content or the headers. */
export type Tag = { key: string; value: string };

export type ObjectRecord = {
  key: string;
  size: number;
  /** The ETag without quotation marks. */
  etag: string;
  /** The time of the last change, in milliseconds since the epoch. */
  modified: number;
  /** Response headers that were stored with the object: content-type, x-amz-meta-* and others. */
  headers: Record<string, string>;
  tags: Tag[];
  checksums: Checksums;
  checksumType: ChecksumType;
  segments: Segment[];
  /** Set only for objects that were stored while the bucket had versioning. */
  versionId?: string;
  /** The multipart upload that made the object. With it, a repeated completion finds its result. */
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
  tags: Tag[];
  checksum?: { algorithm: ChecksumAlgorithm; type: ChecksumType };
};

/** Adds an empty list of tags to a document of an earlier version, which has no tags. */
export function withTags<Stored extends { tags: Tag[] }>(stored: Stored): Stored {
  return { ...stored, tags: stored.tags ?? [] };
}

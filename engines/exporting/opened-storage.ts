/** The operations that each kind of storage provides for writing one object. */
import type { Confirmed, Digests, Edition } from './port.ts';

/** The object that is already at the path. */
export interface Found {
  /** `made_of` of the export that wrote the object. Null if Kinora did not write it. */
  readonly made_of: string | null;
  readonly sha256: string | null;
  /** The edition in the metadata of the object. Null if the metadata has no edition. */
  readonly edition: Edition | null;
  /** Identifies this content of the object: an ETag or a generation. */
  readonly version: string;
  readonly size: number;
  /** The checksum that the storage reports. */
  readonly confirmed: Confirmed | null;
}

/** Reads the edition from the metadata of an object. Metadata values are texts. */
export const parseEdition = (version: string | undefined, job_id: string | undefined): Edition | null =>
  version !== undefined && /^\d{1,9}$/.test(version) && job_id !== undefined
    ? { version: Number(version), job_id }
    : null;

/** The condition that the path must meet when the object is written. */
export type Condition =
  | { readonly is: 'absent' }
  | { readonly is: 'version'; readonly version: string }
  | { readonly is: 'anything' };

/** The condition was not met. */
export class ConditionNotMet extends Error {}

/** The condition of the upload in parts was not met. The upload cannot continue with another condition. */
export class UploadConditionFailed extends ConditionNotMet {}

/** Another write happened at the same time. The state of the path is unknown, and an upload in parts must restart. */
export class WriteConflict extends Error {}

/** The upload in parts no longer exists: it was completed, or it expired. */
export class UploadNotFound extends Error {}

/**
 * The storage accepted the parts but refuses to make the file from them: some are missing, or differ from the sent
 * bytes. Another attempt with the same parts would fail too. The message contains the storage's reason.
 */
export class UploadRejected extends UploadNotFound {}

const PART_BYTES = 16 * 1024 * 1024;
/** The most parts of a file, so that the stored receipts stay small. S3 allows 10,000, Azure 50,000. */
const MOST_PARTS = 1000;

/** Bytes of a part: a multiple of 16 MiB, which all storages accept. */
export const partSizeFor = (size: number): number =>
  Math.max(1, Math.ceil(size / MOST_PARTS / PART_BYTES)) * PART_BYTES;

export interface OpenedStorage {
  readonly location: string;
  /** Returns the existing object. Returns `unreadable` if the credentials do not allow reading. */
  findObject(): Promise<Found | null | 'unreadable'>;
  /** Writes the whole file in one request. */
  putObject(body: Uint8Array, digests: Digests, condition: Condition): Promise<Confirmed>;
  /** Starts an upload in parts. Returns its id. */
  beginUpload(size: number, digests: Digests, condition: Condition): Promise<string>;
  /** Sends a part. Returns its receipt. Sending a part again replaces it. */
  uploadPart(upload: string, part: Part): Promise<string>;
  /** Makes the object from its parts. */
  completeUpload(upload: string, whole: Whole, condition: Condition): Promise<Confirmed>;
  abortUpload(upload: string): Promise<void>;
}

export interface Part {
  readonly index: number;
  readonly body: Uint8Array;
  readonly first: number;
  /** The position of the part's first byte in the file. */
  readonly size: number;
}

export interface Whole {
  readonly receipts: readonly string[];
  readonly digests: Digests;
  readonly size: number;
}

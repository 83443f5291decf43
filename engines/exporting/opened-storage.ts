/** What the writer asks of each kind of storage, opened for one object. */
import type { Confirmed, Digests, Edition } from './port.ts';

/** What is at the path already. */
export interface Found {
  /** What it was made of, where we made it. */
  readonly made_of: string | null;
  readonly sha256: string | null;
  /** Null where it says of itself none that could be compared. */
  readonly edition: Edition | null;
  /** Names this content of the object: an ETag, a generation. */
  readonly version: string;
  readonly size: number;
  /** What the storage says of its checksum. */
  readonly confirmed: Confirmed | null;
}

/** As metadata of an object have it, which are text. */
export const editionIn = (version: string | undefined, job_id: string | undefined): Edition | null =>
  version !== undefined && /^\d{1,9}$/.test(version) && job_id !== undefined
    ? { version: Number(version), job_id }
    : null;

/** What has to hold of the path when the object is put there. */
export type Condition =
  | { readonly is: 'absent' }
  | { readonly is: 'version'; readonly version: string }
  | { readonly is: 'anything' };

/** Thrown where the condition did not hold. */
export class ConditionNotMet extends Error {}

/** Thrown where the condition that the upload in parts was begun under did not hold: it is of no use under another. */
export class UploadSpent extends ConditionNotMet {}

/** Thrown where another's write came in between: nothing is said of the path, and an upload in parts begins anew. */
export class WriteConflict extends Error {}

/** Thrown where the upload in parts is not there any more: it was made an object, or it expired. */
export class UploadGone extends Error {}

/**
 * Thrown where the storage does not make the file of the parts that it took, and would not at another attempt: they are not as they
 * were sent, or not there any more. Its message is what the storage says.
 */
export class UploadSpoilt extends UploadGone {}

const PART_BYTES = 16 * 1024 * 1024;
/** So many parts at most, so that what is remembered of them stays a small item. S3 takes 10,000, Azure 50,000. */
const MOST_PARTS = 1000;

/** A multiple of 16 MiB, which all storages take. */
export const partBytesOf = (size: number): number =>
  Math.max(1, Math.ceil(size / MOST_PARTS / PART_BYTES)) * PART_BYTES;

export interface OpenedStorage {
  readonly location: string;
  /** Bytes of a part of a file of so many: a storage takes so many parts, and some ask for multiples. */
  partBytes(size: number): number;
  /** `unreadable` where the credentials do not let us look. */
  look(): Promise<Found | null | 'unreadable'>;
  /** All at once. */
  put(body: Uint8Array, digests: Digests, condition: Condition): Promise<Confirmed>;
  /** Begins an upload in parts; gives what names it. */
  begin(size: number, digests: Digests, condition: Condition): Promise<string>;
  /** Sends a part, from `first` on of `size` bytes; gives what names it. Sent again, it replaces itself. */
  part(upload: string, part: Part): Promise<string>;
  /** Makes the object of its parts. */
  complete(upload: string, whole: Whole, condition: Condition): Promise<Confirmed>;
  abort(upload: string): Promise<void>;
}

export interface Part {
  readonly index: number;
  readonly body: Uint8Array;
  readonly first: number;
  /** Of the whole file. */
  readonly size: number;
}

export interface Whole {
  readonly receipts: readonly string[];
  readonly digests: Digests;
  readonly size: number;
}

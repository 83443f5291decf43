/** The operations that each kind of storage provides for writing one object. */
import type { Confirmed, Digests, Edition, ExportedFile } from './port.ts';

export type WrittenFile = Omit<ExportedFile, 'source'>;

/** The object that is already at the path. */
export interface Found {
  /** `made_of` of the export that wrote the object. Null if the object is not an export of Kinora. */
  readonly made_of: string | null;
  readonly sha256: string | null;
  readonly edition: Edition | null;
  /** An ETag or a generation, which changes with each write of the object. */
  readonly version: string;
  readonly size: number;
  readonly confirmed: Confirmed | null;
}

export type State = Found | null | 'unreadable';

type Metadata = Readonly<Record<string, string>>;

/** Returns the metadata that identify an exported object. @param mark the separator between words that the storage allows in names */
export const metadataOf = ({ made_of, edition }: WrittenFile, sha256: string, mark: '-' | '_'): Metadata => ({
  [`kinora${mark}made${mark}of`]: made_of,
  [`kinora${mark}sha256`]: sha256,
  [`kinora${mark}version`]: String(edition.version),
  [`kinora${mark}job`]: edition.job_id,
});

export function identityIn(metadata: Metadata = {}, mark: '-' | '_') {
  const [made_of, sha256, version, job_id] = ['made_of', 'sha256', 'version', 'job'].map(
    (name) => metadata[`kinora_${name}`.replaceAll('_', mark)],
  );
  const hasEdition = version !== undefined && /^\d{1,9}$/.test(version) && job_id !== undefined;
  const edition = hasEdition ? { version: Number(version), job_id } : null;
  return { made_of: made_of ?? null, sha256: sha256 ?? null, edition };
}

/** The key of an object, encoded for a URL. */
export const encodedPath = (path: string): string => path.split('/').map(encodeURIComponent).join('/');

/** The condition for the write: the object that must be at the path, or none. */
export type Condition =
  | { readonly is: 'absent' }
  | { readonly is: 'version'; readonly version: string }
  | { readonly is: 'anything' };

export class ConditionNotMet extends Error {}

/** The condition of an upload in parts was not met. The upload cannot continue, because its condition cannot be changed. */
export class UploadConditionFailed extends ConditionNotMet {}

/** Another write happened at the same time. The state of the path is unknown, and an upload in parts must restart. */
export class WriteConflict extends Error {}

/** The upload in parts no longer exists: it was completed, or it has expired. */
export class UploadNotFound extends Error {}

/** The storage refuses to join the parts to a file, and a retry would not help. The message is the reason of the storage. */
export class UploadRejected extends UploadNotFound {}

const PART_BYTES = 16 * 1024 * 1024;
/** The maximum number of parts of a file, so that the stored receipts stay small. S3 allows 10,000, Azure 50,000. */
const MOST_PARTS = 1000;

/** Returns the size of a part, bytes: a multiple of 16 MiB, which all storages accept. */
export const partSizeFor = (size: number): number =>
  Math.max(1, Math.ceil(size / MOST_PARTS / PART_BYTES)) * PART_BYTES;

export interface OpenedStorage {
  readonly location: string;
  /** Returns the existing object. Returns `unreadable` if the credentials do not allow reading. */
  findObject(): Promise<State>;
  putObject(body: Uint8Array, digests: Digests, condition: Condition): Promise<Confirmed>;
  beginUpload(size: number, digests: Digests, condition: Condition): Promise<string>;
  /** Sends a part. Returns its receipt. Sending a part again replaces it. */
  uploadPart(upload: string, part: Part): Promise<string>;
  completeUpload(upload: string, whole: Whole, condition: Condition): Promise<Confirmed>;
  abortUpload(upload: string): Promise<void>;
}

export interface Part {
  readonly index: number;
  readonly body: Uint8Array;
  /** The position of the part's first byte in the file. */
  readonly first: number;
  readonly size: number;
}

export interface Whole {
  readonly receipts: readonly string[];
  readonly digests: Digests;
  readonly size: number;
}

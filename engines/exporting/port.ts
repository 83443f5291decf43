/** The interface of engines that copy files to the storages of tenants. */
import type { StorageType } from '../../contract/kit/storage-types.ts';
import type { RangeSource } from '../../shared/media.ts';
import { engineOf } from '../engine.ts';

/** A storage and its credentials. The members of `destination` and `authentication` depend on the type: contract/kit/storage-types.ts. */
export interface Storage {
  readonly type: StorageType;
  readonly destination: Readonly<Record<string, string>>;
  readonly authentication: Readonly<Record<string, unknown>>;
  /** The external id for assuming a role. Kinora generates one for each storage. */
  readonly external_id: string;
}

export interface ExportedFile {
  /** Key of the written object. */
  readonly path: string;
  readonly content_type: string;
  /** Identifies the exported thing, without its version: `{asset}/{transcription}/vtt`. ASCII. */
  readonly made_of: string;
  /** Distinguishes this export from other exports with the same `made_of`. */
  readonly edition: Edition;
  readonly source: RangeSource;
}

/** Shows which of two exports of one thing is newer: the higher version, or the later job if the versions are equal. */
export interface Edition {
  /** Version of the exported thing; 0 if it has none. */
  readonly version: number;
  /** A UUIDv7, so that later jobs have greater ids. */
  readonly job_id: string;
}

/** The state that a later call needs to continue an upload. Plain data, small enough for a DynamoDB item. */
export interface Resume {
  readonly digests: Digests;
  /** Identifies the upload: its id, or the address of the session. */
  readonly upload: string;
  readonly receipts: readonly string[];
  /** Set for the second upload, after the storage rejected the parts of the first one. There is no third upload. */
  readonly again?: true;
}

/** Checksums of the whole file. MD5 and CRC-32 are in base64. */
export interface Digests {
  /** In hexadecimal. */
  readonly sha256: string;
  readonly md5: string;
  /** CRC-32 of RFC 1952, big-endian. */
  readonly crc32: string;
}

export interface Writing {
  readonly signal: AbortSignal;
  /** Whether to replace an object that is not an earlier export of the same thing. */
  readonly overwrite: boolean;
  readonly resume: Resume | null;
  /** Stores the state of the upload. If `remember` throws, an upload that has just started is aborted. */
  readonly remember: (resume: Resume) => Promise<void>;
  /** The progress, 0 to 1. */
  readonly onProgress: (fraction: number) => void;
  /** The time to stop after the current part, in ms of `performance.now()`. A later call continues from the stored state. */
  readonly until: number;
  /** The time to stop waiting for an answer, in ms of `performance.now()`: the end of the caller's own time limit. */
  readonly deadline: number;
}

export interface Confirmed {
  readonly algorithm: 'SHA256' | 'CRC32' | 'MD5';
  readonly of: 'file' | 'parts';
  /** The checksum in base64. */
  readonly value: string | null;
}

export interface Written {
  /** The location of the written file. Null if nothing was written. */
  readonly location: string | null;
  readonly size_bytes: number;
  readonly sha256: string;
  readonly confirmed: Confirmed | null;
}

export interface StorageWriter {
  /** Writes the file, unless the storage already has it. Returns null if the time until `until` is not enough. Throws a JobError. */
  write(file: ExportedFile, storage: Storage, writing: Writing): Promise<Written | null>;
  /** Removes the parts of an upload that will not be finished. */
  abandon(path: string, storage: Storage, resume: Resume, signal: AbortSignal): Promise<void>;
}

export interface ExportingContext {
  /** The longest time that a connection may make no progress, ms. Default: SILENCE_MS of shared/pinned-request.ts. */
  readonly silenceMs?: number;
  /** Whether a connection to the IP address is allowed. */
  readonly allows: (address: string) => boolean;
  /** Kinora's own buckets. Exports to them are refused. */
  readonly ownBuckets: readonly string[];
  /** Whether S3 addresses contain the bucket in their path, as in the local cloud. */
  readonly pathStyle: boolean;
  /** The URL schemes that addresses in tenants' credentials may have. */
  readonly schemes: readonly string[];
}

export const exportingEngine = engineOf<StorageWriter, ExportingContext>();

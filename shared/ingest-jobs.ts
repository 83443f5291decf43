/** The ingest job of an upload: the parts that it joins, and the id of its transcription. */
import { derivedId } from './derived-ids.ts';
import type { AssetId, JobId } from './ids.ts';
import { queued, type StoredJob } from './jobs.ts';
import type { Limits } from './usage.ts';

export interface IngestOwn {
  readonly upload_id: string;
  readonly etags: readonly string[];
  /** The bytes of all parts when the upload was finished. */
  readonly size_bytes?: number;
  readonly transcription_id: string;
  /** The quotas of the tenant when the upload was finished. Absent if no quota applies to the ingest. */
  readonly quotas?: Limits['quotas'];
}

export type IngestJob = StoredJob<'ingest', IngestOwn>;

/** @param more input of the execution, in addition to the asset */
export const newIngestJob = (
  jobId: JobId,
  assetId: AssetId,
  {
    upload,
    now,
    more = {},
  }: {
    readonly upload: Omit<IngestOwn, 'transcription_id'>;
    readonly now: Date;
    readonly more?: Readonly<Record<string, string>> | undefined;
  },
): IngestJob => ({
  ...queued(jobId, now),
  type: 'ingest',
  asset_id: assetId,
  machine: 'Ingest',
  input: { asset_id: assetId, ...more },
  // An asset may have several transcriptions, which are metered separately. So each has an id.
  own: { ...upload, transcription_id: derivedId(jobId, 0) },
});

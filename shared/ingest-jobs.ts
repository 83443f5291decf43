/** The job of an upload: which parts it joins, and the transcription that it makes. */
import { derivedId } from './derived-ids.ts';
import type { AssetId, JobId } from './ids.ts';
import { queued, type StoredJob } from './jobs.ts';
import type { Limits } from './limits.ts';

export interface IngestOwn {
  readonly upload_id: string;
  readonly etags: readonly string[];
  readonly transcription_id: string;
  /** What the tenant might use in the month when its upload was finished; absent where nothing of it can be held before the media are known. */
  readonly quotas?: Limits['quotas'];
}

export type IngestJob = StoredJob<'ingest', IngestOwn>;

/** @param more what its execution is started with beside the asset */
export const newIngestJob = (
  jobId: JobId,
  assetId: AssetId,
  upload: Omit<IngestOwn, 'transcription_id'>,
  now: Date,
  more: Readonly<Record<string, string>> = {},
): IngestJob => ({
  ...queued(jobId, now),
  type: 'ingest',
  asset_id: assetId,
  machine: 'Ingest',
  input: { asset_id: assetId, ...more },
  // A transcription of its own id: an asset may get others, and each is metered under its own.
  own: { ...upload, transcription_id: derivedId(jobId, 0) },
});

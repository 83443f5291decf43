/** The job that renders clips for their download. */
import type { AssetId, JobId } from '../../../platform/shared/ids.ts';
import { queued, type StoredJob } from '../../../platform/shared/jobs.ts';

export interface ClipsOwn {
  readonly video_clip_ids: readonly string[];
}

export type ClipsJob = StoredJob<'clips', ClipsOwn>;

export const newClipsJob = (
  jobId: JobId,
  assetId: AssetId,
  video_clip_ids: readonly string[],
  now: Date,
): ClipsJob => ({
  ...queued(jobId, now),
  type: 'clips',
  asset_id: assetId,
  items: video_clip_ids.map((video_clip_id) => ({
    video_clip_id,
    status: 'queued' as const,
    progress: 0,
    error: null,
    result: null,
  })),
  machine: 'Clips',
  input: { asset_id: assetId, kind: 'clips' },
  own: { video_clip_ids },
});

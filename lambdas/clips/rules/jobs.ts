/** The job that renders clips for their download. */
import type { Taking } from '../../../platform/jobs/job-quotas.ts';
import type { AssetId, JobId } from '../../../platform/shared/ids.ts';
import { isTerminal, queued, type StoredJob } from '../../../platform/shared/jobs.ts';
import { InvalidState } from '../../../platform/shared/problems.ts';
import type { VideoClip } from './clips.ts';

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

/** What rendering the clips takes of quotas, at most: chunks that are as they were take nothing. */
export const renderingTakes = (clips: readonly Pick<VideoClip, 'start_ms' | 'end_ms'>[]): Taking[] => [
  { meter: 'rendered_ms', quantity: clips.reduce((sum, { start_ms, end_ms }) => sum + end_ms - start_ms, 0) },
];

/** Throws invalid_state where a job that goes on is to render the clip, even if it has not come to it. */
export function requireUnasked(clipId: string, jobs: readonly ClipsJob[]): void {
  const asksFor = ({ items }: ClipsJob) => items.some(({ video_clip_id }) => video_clip_id === clipId);
  const asking = jobs.find((job) => !isTerminal(job.status) && asksFor(job));
  if (asking === undefined) return;
  throw new InvalidState(
    `The job ${asking.job_id} is to render the clip: wait until it has ended, or cancel it first.`,
  );
}

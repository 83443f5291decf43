/** The job that renders clips for download. */
import { isTerminal, type StoredJob } from '../../../shared/jobs.ts';
import { InvalidState } from '../../../shared/problems.ts';

export interface HeldClips {
  /** Reserved milliseconds of video, by clip id; absent if the tenant has no quota. */
  readonly held?: Readonly<Record<string, number>>;
}

export interface ClipsOwn extends HeldClips {
  readonly video_clip_ids: readonly string[];
}

export type ClipsJob = StoredJob<'clips', ClipsOwn>;

/** Throws invalid_state if the clip belongs to a job that has not ended. */
export function requireNotRequested(clipId: string, jobs: readonly ClipsJob[]): void {
  const asksFor = ({ items }: ClipsJob) => items.some(({ video_clip_id }) => video_clip_id === clipId);
  const asking = jobs.find((job) => !isTerminal(job.status) && asksFor(job));
  if (asking === undefined) return;
  throw new InvalidState(
    `The job ${asking.job_id} is to render the clip. Wait until it has ended, or cancel it.`,
  );
}

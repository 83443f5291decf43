/** Progress of rendering, as callers see it on the clip, its job item and its job. */
import { throttled } from '../../../platform/jobs/throttle-writes.ts';
import { coreTable } from '../../../platform/runtime/dynamodb.ts';
import type { TenantId } from '../../../shared/tenant.ts';
import { Clips } from '../records/clips.ts';
import { type Place, partAt, shareOf } from '../rules/job-parts.ts';
import { clipsJobs, type PlannedInput } from './clip-step.ts';

export interface ClipProgress {
  /** Reports the fraction of the part that is done, 0 to 1. Returns at once. */
  tell(fraction: number): void;
  /** Counts the part as done. A repeat changes nothing. */
  done(): Promise<void>;
  close(): Promise<void>;
}

/** Pause between writes, ms. */
const REST_MS = 2500;
/**
 * Share of the job's progress that rendering takes. The end of the job takes the rest; an export must also
 * write the file.
 */
export const shareOfRendering = { clips: 0.98, export: 0.6 } as const;

/** The progress of a part of a clip. The caller must close it. */
export function clipProgress(input: PlannedInput, place: Place, tenant: TenantId): ClipProgress {
  const { asset_id, job_id, index, kind } = input;
  const table = coreTable(tenant);
  const jobs = clipsJobs(tenant, table, kind);
  const clips = new Clips(table, tenant);
  const part = partAt(input, place);
  const write = async (fraction: number, isDone: boolean) => {
    const { share, doneOf } = isDone
      ? await jobs.completePart(asset_id, job_id, part)
      : await jobs.advancePart(asset_id, job_id, part, fraction);
    const reached = shareOf(input, doneOf);
    await clips.advance(input, job_id, reached);
    if (kind === 'clips') await jobs.advanceItem(asset_id, job_id, index, reached);
    await jobs.advance(asset_id, job_id, share * shareOfRendering[kind]);
  };
  const telling = throttled((fraction: number) => write(fraction, false), REST_MS);
  return { tell: telling.tell, done: () => write(1, true), close: telling.close };
}

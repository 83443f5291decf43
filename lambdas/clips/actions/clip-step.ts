/** What the steps share that render clips, for their download and for exports. */

import { Jobs } from '../../../platform/jobs/job-records.ts';
import { type JobContext, jobStep } from '../../../platform/kernel/job-step.ts';
import type { StepInput } from '../../../platform/kernel/step.ts';
import { coreTable } from '../../../platform/runtime/dynamodb.ts';
import { mediaObjects } from '../../../platform/runtime/s3.ts';
import type { Named } from '../../../platform/steps/define-step.ts';
import type { JobId } from '../../../shared/ids.ts';
import type { TenantId } from '../../../shared/tenant.ts';
import { ClipFiles } from '../records/clip-files.ts';
import { Clips } from '../records/clips.ts';
import type { ClipsJob, ClipsOwn } from '../rules/clips-job.ts';

/** What a job that renders is: one of its own, or an export. */
export type RenderingKind = 'clips' | 'export';

export interface ClipsInput extends StepInput {
  readonly job_id: JobId;
  readonly kind: RenderingKind;
}

/** A clip of a job that renders. */
export interface ClipInput extends ClipsInput {
  /** Place of the clip among those of the job. */
  readonly index: number;
  /** How many clips there are. */
  readonly clips: number;
  readonly video_clip_id: string;
}

/** A clip that was planned. */
export interface PlannedInput extends ClipInput {
  /** Names its objects. */
  readonly file: string;
  /** How many runs its chunks are rendered in. */
  readonly lanes: number;
}

export const clipsJobs = (tenant: TenantId, table = coreTable(tenant), kind: RenderingKind = 'clips') =>
  new Jobs<'clips', ClipsOwn>(table, tenant, kind as 'clips');

export const clipServices = (tenant: TenantId, table = coreTable(tenant)) => {
  const objects = mediaObjects(tenant);
  return { tenant, table, objects, clips: new Clips(table, tenant), files: new ClipFiles(objects, tenant) };
};

/** A step that works for a job of either kind: those of an export have other facts, which none of these steps reads. */
export const clipStep = <Given extends ClipsInput, Result>(
  settings: Named,
  work: (input: Given, context: JobContext<ClipsJob>) => Promise<Result>,
  patienceMs?: number,
) =>
  jobStep<Given, Result, ClipsJob>(
    settings,
    ({ asset_id, job_id, kind }, tenant) => clipsJobs(tenant, coreTable(tenant), kind).find(asset_id, job_id),
    work,
    patienceMs,
  );

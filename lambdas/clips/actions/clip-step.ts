/** Services of the steps that render clips, for downloads and for exports. */
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

/** The kind of a job that renders: a clips job or an export. */
export type RenderingKind = 'clips' | 'export';

export interface ClipsInput extends StepInput {
  readonly job_id: JobId;
  readonly kind: RenderingKind;
}

/** Input of a step that works on one clip of a job. */
export interface ClipInput extends ClipsInput {
  /** Index of the clip among the clips of the job. */
  readonly index: number;
  /** Number of clips of the job. */
  readonly clips: number;
  readonly video_clip_id: string;
}

/** Input of a step that works on a planned clip. */
export interface PlannedInput extends ClipInput {
  /** Part of its object keys. */
  readonly file: string;
  /** Number of parallel runs that render its chunks. */
  readonly lanes: number;
}

export const clipsJobs = (tenant: TenantId, table = coreTable(tenant), kind: RenderingKind = 'clips') =>
  new Jobs<'clips', ClipsOwn>(table, tenant, kind as 'clips');

export const clipServices = (tenant: TenantId, table = coreTable(tenant)) => {
  const objects = mediaObjects(tenant);
  return { tenant, table, objects, clips: new Clips(table, tenant), files: new ClipFiles(objects, tenant) };
};

/** A step for jobs of either kind. Exports have other own fields, which these steps do not read. */
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

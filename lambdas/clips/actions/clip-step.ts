/** Services and types of the steps that render clips, for downloads and for exports. */
import { Jobs } from '../../../platform/jobs/job-records.ts';
import { type AssetJobInput, subjectSteps } from '../../../platform/kernel/job-step.ts';
import { mediaObjects } from '../../../platform/runtime/s3.ts';
import type { TenantTable } from '../../../platform/table/tenant-table.ts';
import type { TenantId } from '../../../shared/ids.ts';
import { Assets } from '../../assets/records/assets.ts';
import { ClipFiles } from '../records/clip-files.ts';
import { Clips } from '../records/clips.ts';
import type { ClipsOwn } from '../rules/clips-job.ts';

export interface ClipsInput extends AssetJobInput {
  readonly kind: 'clips' | 'export';
}

export interface ClipInput extends ClipsInput {
  readonly index: number;
  readonly clips: number;
  readonly video_clip_id: string;
}

export interface PlannedInput extends ClipInput {
  /** The id of the clip's file. It is part of the object keys. */
  readonly file: string;
  readonly lanes: number;
}

export const clipsJobs = (tenant: TenantId, table: TenantTable) =>
  new Jobs<'clips', ClipsOwn>(table, tenant, 'clips');

/** @param table publishes events if jobs are started or ended */
export function clipServices(tenant: TenantId, table: TenantTable) {
  const objects = mediaObjects(tenant);
  const records = { assets: new Assets(table, tenant), clips: new Clips(table, tenant) };
  return { tenant, table, objects, ...records, files: new ClipFiles(objects, tenant) };
}

export type ClipServices = ReturnType<typeof clipServices>;

const steps = subjectSteps<'clips', ClipsOwn, ClipServices>('clips', clipServices);

/** A step for jobs of either kind. It must not read `own` fields, because the fields of exports are different. */
export const clipStep = steps.jobStep;
export const clipEndStep = steps.endStep;

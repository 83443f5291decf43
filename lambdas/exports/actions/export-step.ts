/** Steps of the Export machine. */
import { Jobs } from '../../../platform/jobs/job-records.ts';
import { type JobContext, jobStep } from '../../../platform/kernel/job-step.ts';
import type { StepInput } from '../../../platform/kernel/step.ts';
import { derivedKey } from '../../../platform/objects/media-objects.ts';
import { coreTable } from '../../../platform/runtime/dynamodb.ts';
import type { Named } from '../../../platform/steps/define-step.ts';
import type { JobId } from '../../../shared/ids.ts';
import type { TenantId } from '../../../shared/tenant.ts';
import type { ExportJob, ExportOwn } from '../rules/export-job.ts';

export interface ExportInput extends StepInput {
  readonly job_id: JobId;
}

export const exportJobs = (tenant: TenantId, table = coreTable(tenant)) =>
  new Jobs<'export', ExportOwn>(table, tenant, 'export');

/** Key of the job's snapshot, so that every attempt writes the same bytes. */
export const snapshotKey = (tenant: TenantId, { asset_id, job_id }: ExportInput) =>
  derivedKey(tenant, asset_id, 'export', job_id, 'file');

/** A step of the Export machine. `name` is the name of its Lambda. */
export const exportStep = <Given extends ExportInput, Result>(
  settings: Named,
  work: (input: Given, context: JobContext<ExportJob>) => Promise<Result>,
  patienceMs?: number,
) =>
  jobStep<Given, Result, ExportJob>(
    settings,
    ({ asset_id, job_id }, tenant) => exportJobs(tenant).find(asset_id, job_id),
    work,
    patienceMs,
  );

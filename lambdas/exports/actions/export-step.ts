/** Services and types of the steps that export. */
import { Jobs } from '../../../platform/jobs/job-records.ts';
import { type AssetJobInput, subjectSteps } from '../../../platform/kernel/job-step.ts';
import { derivedKey } from '../../../platform/objects/media-objects.ts';
import type { TenantTable } from '../../../platform/table/tenant-table.ts';
import type { TenantId } from '../../../shared/ids.ts';
import { type ClipServices, clipServices } from '../../clips/actions/clip-step.ts';
import type { ExportOwn } from '../rules/export-job.ts';

export const exportJobs = (tenant: TenantId, table: TenantTable) =>
  new Jobs<'export', ExportOwn>(table, tenant, 'export');

/** Key of the job's snapshot, so that every attempt writes the same bytes. */
export const snapshotKey = (tenant: TenantId, { asset_id, job_id }: AssetJobInput) =>
  derivedKey(tenant, asset_id, { step: 'export', version: job_id, name: 'file' });

export const { jobStep: exportStep, endStep: exportEndStep } = subjectSteps<
  'export',
  ExportOwn,
  ClipServices
>('export', clipServices);

/** Records a translation job and starts it. */
import { ensureStarted } from '../../../platform/jobs/claim.ts';
import type { AllJobs } from '../../../platform/jobs/records.ts';
import { type JobSlots, takeSlot } from '../../../platform/jobs/slots.ts';
import { executionsOf } from '../../../platform/runtime/stepfunctions.ts';
import type { Limits } from '../../../platform/shared/limits.ts';
import type { TenantId } from '../../../platform/shared/tenant.ts';
import { requireStaying, staying } from '../../../platform/store/asset-children.ts';
import { type TenantTable, TransactionRefused } from '../../../platform/store/table.ts';
import type { TranslationJob, TranslationKind } from '../rules/jobs.ts';
import { translationJobs } from './job.ts';

interface Services {
  readonly table: TenantTable;
  readonly tenant: TenantId;
  readonly all: AllJobs;
  readonly slots: JobSlots;
}

/**
 * The job of that id, recorded once however often it is asked for. Throws where the asset is gone, and rate_limited where
 * as many jobs of the tenant run as may.
 */
export async function started(
  kind: TranslationKind,
  job: TranslationJob,
  limits: Limits,
  now: Date,
  services: Services,
): Promise<TranslationJob> {
  const { table, tenant } = services;
  const { asset_id, job_id } = job;
  const jobs = translationJobs(tenant, kind, table);
  const holder = { asset_id, job_id, since: Math.floor(now.getTime() / 1000) };
  const giveBack = await takeSlot(holder, limits, now, services);
  try {
    await table.transact([staying(tenant, asset_id), ...jobs.recorded(asset_id, job, now)]);
  } catch (error) {
    const isThere = error instanceof TransactionRefused && (await jobs.find(asset_id, job_id)) !== null;
    if (!isThere) await giveBack();
    if (error instanceof TransactionRefused) requireStaying(asset_id, error);
    if (!isThere) throw error;
  }
  await ensureStarted(tenant, job, executionsOf);
  return job;
}

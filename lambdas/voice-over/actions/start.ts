/** Records a voice over job and starts it. */
import { ensureStarted } from '../../../platform/jobs/claim.ts';
import { executionsOf } from '../../../platform/runtime/stepfunctions.ts';
import type { TenantId } from '../../../platform/shared/tenant.ts';
import { requireStaying, staying } from '../../../platform/store/asset-children.ts';
import { type TenantTable, TransactionRefused } from '../../../platform/store/table.ts';
import type { VoiceOverJob } from '../rules/jobs.ts';
import { voiceOverJobs } from './job.ts';

/** The job of that id, recorded once however often it is asked for. Throws where the asset is gone. */
export async function started(
  job: VoiceOverJob,
  tenant: TenantId,
  now: Date,
  table: TenantTable,
): Promise<VoiceOverJob> {
  const jobs = voiceOverJobs(tenant, table);
  try {
    await table.transact([staying(tenant, job.asset_id), ...jobs.recorded(job.asset_id, job, now)]);
  } catch (error) {
    if (!(error instanceof TransactionRefused)) throw error;
    requireStaying(job.asset_id, error);
    if ((await jobs.find(job.asset_id, job.job_id)) === null) throw error;
  }
  await ensureStarted(tenant, job, executionsOf);
  return job;
}

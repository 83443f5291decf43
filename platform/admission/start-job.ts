/** Jobs that work on an asset, one a request: recorded, then started. */
import type { AssetId } from '../../shared/ids.ts';
import type { JobType, StoredJob } from '../../shared/jobs.ts';
import type { Limits } from '../../shared/limits.ts';
import { Problem } from '../../shared/problems.ts';
import type { TenantId } from '../../shared/tenant.ts';
import { type ExecutionsOf, ensureStarted } from '../jobs/claim.ts';
import type { Jobs } from '../jobs/job-records.ts';
import { requireStaying, staying } from '../records/asset-children.ts';
import { type TenantTable, TransactionRefused } from '../table/tenant-table.ts';
import { type JobSlots, takeSlot } from './job-slots.ts';
import { holdQuotas, type QuotaServices, type Taking } from './quota-reservations.ts';

export interface Beginning extends QuotaServices {
  readonly tenant: TenantId;
  /** Publishes. */
  readonly table: TenantTable;
  readonly slots: JobSlots;
  readonly executionsOf: ExecutionsOf;
}

/**
 * The job of that id, recorded once however often it is asked for. Throws where the asset is gone, and rate_limited where as
 * many jobs of the tenant run as may.
 * @param takes what it will take of quotas, at most; quota_exceeded is thrown where there is less
 */
export async function begun<Type extends JobType, Own>(
  job: StoredJob<Type, Own> & { readonly asset_id: AssetId },
  jobs: Jobs<Type, Own>,
  limits: Limits,
  now: Date,
  beginning: Beginning,
  takes: readonly Taking[] = [],
): Promise<StoredJob<Type, Own>> {
  const { tenant, table, executionsOf } = beginning;
  const { asset_id, job_id } = job;
  const holder = { asset_id, job_id, since: Math.floor(now.getTime() / 1000) };
  const freeSlot = await takeSlot(holder, limits, now, beginning);
  let release = async () => {};
  const giveBack = () => Promise.all([freeSlot(), release()]);
  try {
    release = await holdQuotas(holder, takes, limits, now, beginning);
    await table.transact([staying(tenant, asset_id), ...jobs.recorded(asset_id, job, now)]);
  } catch (error) {
    const isRefused = error instanceof TransactionRefused || error instanceof Problem;
    const isThere = isRefused && (await jobs.find(asset_id, job_id)) !== null;
    if (!isThere) await giveBack();
    if (error instanceof TransactionRefused) requireStaying(asset_id, error);
    if (!isThere) throw error;
  }
  await ensureStarted(tenant, job as StoredJob, executionsOf);
  return job;
}

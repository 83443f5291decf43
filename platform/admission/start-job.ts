/** Jobs that work on an asset: each is reserved, recorded, and then started or queued. */
import type { AssetId, TenantId } from '../../shared/ids.ts';
import type { JobType, StoredJob } from '../../shared/jobs.ts';
import { Problem } from '../../shared/problems.ts';
import type { Limits } from '../../shared/usage.ts';
import type { Jobs } from '../jobs/job-records.ts';
import { checkAssetExists, requireAssetExists } from '../records/asset-children.ts';
import { type TenantTable, TransactionRefused } from '../table/tenant-table.ts';
import type { Demand } from './demand.ts';
import type { AdmissionQueue } from './queue.ts';
import type { Reservations } from './reservations.ts';

export interface JobStart {
  readonly tenant: TenantId;
  /** A table that publishes events. */
  readonly table: TenantTable;
  readonly reservations: Reservations;
  readonly queue: Pick<AdmissionQueue, 'startOrEnqueue'>;
}

interface StartingJob<Type extends JobType, Own> {
  readonly job: StoredJob<Type, Own> & { readonly asset_id: AssetId };
  readonly jobs: Jobs<Type, Own>;
  readonly demands?: readonly Demand[] | undefined;
  readonly limits: Limits;
  readonly now: Date;
}

/**
 * Records the job and starts or queues it. A repeat of the request for the same id has no effect. Throws NotFound if
 * the asset was deleted. Throws rate_limited if the tenant has no free slot, and quota_exceeded if a quota has no room
 * for the demands.
 */
export async function startJob<Type extends JobType, Own>(
  { job, jobs, demands = [], limits, now }: StartingJob<Type, Own>,
  { tenant, table, reservations, queue }: JobStart,
): Promise<StoredJob<Type, Own>> {
  const { asset_id, job_id } = job;
  const isRecorded = async (error: unknown) =>
    (error instanceof TransactionRefused || error instanceof Problem) &&
    (await jobs.find(asset_id, job_id)) !== null;
  try {
    const reservation = await reservations.reserve({ owner_id: asset_id, job_id, demands, limits, now });
    try {
      await table.transact([checkAssetExists(tenant, asset_id), ...jobs.writesOfNew(asset_id, job, now)]);
    } catch (error) {
      if (!(await isRecorded(error))) await reservation.release();
      throw error;
    }
  } catch (error) {
    if (error instanceof TransactionRefused) requireAssetExists(asset_id, error);
    if (!(await isRecorded(error))) throw error;
  }
  await startOrEnqueue(tenant, job as StoredJob, queue);
  return job;
}

/**
 * Starts a job that has not started, or adds it to the queue if there is no capacity. A request may crash after it
 * recorded its job and before this call. Every later request for the job, and the sweep, calls this again: a repeat has
 * no effect.
 */
export async function startOrEnqueue(
  tenant: TenantId,
  { job_id, status, machine, input }: StoredJob,
  queue: Pick<AdmissionQueue, 'startOrEnqueue'>,
): Promise<void> {
  if (status !== 'queued') return;
  await queue.startOrEnqueue({ tenant, job_id, machine, input: { tenant, ...input, job_id } });
}

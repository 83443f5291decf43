/** Reserves quotas in a step, when the step knows what its job needs. The job stores the quotas, because steps cannot read limits. */
import type { TenantId } from '../../shared/ids.ts';
import { quotaExceeded } from '../../shared/job-errors.ts';
import type { StoredJob } from '../../shared/jobs.ts';
import { Problem } from '../../shared/problems.ts';
import { type Limits, type Meter, unlimited } from '../../shared/usage.ts';
import { type Demand, hasQuotaFor } from '../admission/demand.ts';
import { Reservations } from '../admission/reservations.ts';
import { AllJobs } from '../jobs/job-records.ts';
import type { TenantTable } from '../table/tenant-table.ts';
import { coreTable, ephemeralTable } from './dynamodb.ts';
import { usageOf } from './usage.ts';

/** Stored in a job, so that its steps can reserve. */
export interface KeptQuotas {
  /** The quotas of the tenant when its upload was finished. Absent if none of them applies to the steps. */
  readonly quotas?: Limits['quotas'];
}

/** The quotas to store in the job, because its steps reserve from them. Empty if no quota limits these meters. */
export const keptQuotas = ({ quotas }: Pick<Limits, 'quotas'>, names: readonly Meter[]): KeptQuotas =>
  hasQuotaFor({ quotas }, names) ? { quotas } : {};

/** Milliseconds by which media may be longer than declared, because of rounding. */
const CLAIM_TOLERANCE_MS = 1000;

/** The milliseconds to reserve in addition to the declared duration. 0 if the difference is rounding. */
export function beyondClaim(duration_ms: number, claimed_ms: number): number {
  const beyond_ms = duration_ms - claimed_ms;
  return beyond_ms > CLAIM_TOLERANCE_MS ? beyond_ms : 0;
}

export function reservationsOf(table: TenantTable, tenant: TenantId): Reservations {
  const services = { usage: usageOf(table, tenant), jobs: new AllJobs(table, tenant) };
  return new Reservations(ephemeralTable(tenant), tenant, services);
}

/**
 * Reserves until the job has ended. A repeat reserves nothing more. Throws the JobError quota_exceeded if a quota has no
 * room.
 * @param owner_id the id of the asset or branding file that the job works on
 */
export async function reserveInStep(
  owner_id: string,
  { job_id, created_at, own: { quotas } }: StoredJob & { readonly own: KeptQuotas },
  demands: readonly Demand[],
  tenant: TenantId,
): Promise<void> {
  if (quotas === undefined) return;
  const limits = { ...unlimited, quotas };
  // Uses the creation time of the job: a repeat makes the same reservation, and the job counts toward the month of its
  // creation.
  const now = new Date(created_at);
  try {
    await reservationsOf(coreTable(tenant), tenant).reserveQuotas({ owner_id, job_id, demands, limits, now });
  } catch (error) {
    if (error instanceof Problem && error.code === 'quota_exceeded') throw quotaExceeded(error.detail);
    throw error;
  }
}

/** Quotas that a job is held against by a step of its own, once it is known what it takes: steps know no limits of tenants. */

import type { AssetId } from '../../shared/ids.ts';
import { quotaExceeded } from '../../shared/job-errors.ts';
import type { StoredJob } from '../../shared/jobs.ts';
import type { Limits } from '../../shared/limits.ts';
import { Problem } from '../../shared/problems.ts';
import type { TenantId } from '../../shared/tenant.ts';
import type { Meter } from '../../shared/usage.ts';
import { hasQuotaOf, holdQuotas, type Taking } from '../admission/quota-reservations.ts';
import { QuotaHolds } from '../admission/reserved-quantities.ts';
import { AllJobs } from '../jobs/job-records.ts';
import { Usage } from '../usage/metering.ts';
import { coreTable, ephemeralTable } from './dynamodb.ts';

/** What a job keeps for it. */
export interface HeldOnceKnown {
  /** What the tenant might use in the month when its upload was finished; absent where nothing of it can be held before the media are known. */
  readonly quotas?: Limits['quotas'];
}

/** What a job keeps that takes of these meters. */
export const heldOnceKnown = ({ quotas }: Pick<Limits, 'quotas'>, names: readonly Meter[]): HeldOnceKnown =>
  hasQuotaOf({ quotas }, names) ? { quotas } : {};

/** What media play longer than they claimed was not held when they were probed; less is rounding. */
const CLAIM_TOLERANCE_MS = 1000;

/** How many milliseconds are to be held beside those that the media claimed: none where the difference is rounding. */
export function beyondClaim(duration_ms: number, claimed_ms: number): number {
  const beyond_ms = duration_ms - claimed_ms;
  return beyond_ms > CLAIM_TOLERANCE_MS ? beyond_ms : 0;
}

/**
 * Holds it until the job has ended. A repeat holds nothing twice. Throws the JobError quota_exceeded.
 * @param owner of the job: an asset, or the file of a branding
 */
export async function requireRoom(
  owner: string,
  { job_id, created_at, own }: StoredJob & { readonly own: HeldOnceKnown },
  takings: (quotas: Limits['quotas']) => readonly Taking[],
  tenant: TenantId,
): Promise<void> {
  const { quotas } = own;
  if (quotas === undefined) return;
  const table = coreTable(tenant);
  try {
    // Held as of then, so that a repeat holds the same; its month is the job's anyway.
    const asked = new Date(created_at);
    await holdQuotas({ asset_id: owner as AssetId, job_id }, takings(quotas), { quotas }, asked, {
      usage: new Usage(table, tenant),
      all: new AllJobs(table, tenant),
      holdsOf: (metric) => new QuotaHolds(ephemeralTable(tenant), tenant, metric),
    });
  } catch (error) {
    if (error instanceof Problem && error.code === 'quota_exceeded') throw quotaExceeded(error.detail);
    throw error;
  }
}

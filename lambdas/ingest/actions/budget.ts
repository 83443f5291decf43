/** Whether what an ingest will cost fits into what is left of its tenant's month, as soon as it is known how long the media are. */

import { holdQuotas, type Taking, takingsOf } from '../../../platform/jobs/job-quotas.ts';
import { AllJobs } from '../../../platform/jobs/records.ts';
import { coreTable, ephemeralTable } from '../../../platform/runtime/dynamodb.ts';
import { doneBy } from '../../../platform/runtime/engines.ts';
import type { IngestJob } from '../../../platform/shared/ingest-jobs.ts';
import { quotaExceeded } from '../../../platform/shared/job-errors.ts';
import { Problem } from '../../../platform/shared/problems.ts';
import type { TenantId } from '../../../platform/shared/tenant.ts';
import { QuotaHolds } from '../../../platform/usage/holds.ts';
import { Usage } from '../../../platform/usage/records.ts';
import type { Use } from '../rules/uses.ts';

/**
 * Holds it until the job has ended, against the quotas that the tenant had when its upload was finished. A repeat holds nothing twice.
 * Throws the JobError quota_exceeded.
 */
export async function requireAffordable(
  job: IngestJob,
  uses: readonly Use[],
  tenant: TenantId,
): Promise<void> {
  const { quotas } = job.own;
  if (quotas === undefined) return;
  const table = coreTable(tenant);
  try {
    // Held as of then, so that a repeat holds the same; its month is the job's anyway.
    const asked = new Date(job.created_at);
    await holdQuotas(job, takingsIn(uses, { quotas }), { quotas }, asked, {
      usage: new Usage(table, tenant),
      all: new AllJobs(table, tenant),
      holdsOf: (metric) => new QuotaHolds(ephemeralTable(tenant), tenant, metric),
    });
  } catch (error) {
    if (error instanceof Problem && error.code === 'quota_exceeded') throw quotaExceeded(error.detail);
    throw error;
  }
}

/** The sum of each meter, and the cost of all. */
function takingsIn(uses: readonly Use[], limits: Parameters<typeof takingsOf>[3]): Taking[] {
  const all = uses.flatMap(({ capability, meter, quantity }) =>
    takingsOf(meter, quantity, doneBy(capability), limits),
  );
  const sums = new Map<Taking['meter'], number>();
  for (const { meter, quantity } of all) sums.set(meter, (sums.get(meter) ?? 0) + quantity);
  return [...sums].map(([meter, quantity]) => ({ meter, quantity }));
}

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
  now: Date,
  tenant: TenantId,
): Promise<void> {
  const { quotas } = job.own;
  if (quotas === undefined) return;
  const table = coreTable(tenant);
  try {
    await holdQuotas(job, takingsIn(uses, { quotas }), { quotas }, now, {
      usage: new Usage(table, tenant),
      all: new AllJobs(table, tenant),
      holdsOf: (metric) => new QuotaHolds(ephemeralTable(tenant), tenant, metric),
    });
  } catch (error) {
    if (error instanceof Problem && error.code === 'quota_exceeded') throw quotaExceeded(error.detail);
    throw error;
  }
}

/** Minutes as they are, and the cost of all; characters that nobody has heard yet are of no quota before they are translated. */
function takingsIn(uses: readonly Use[], limits: Parameters<typeof takingsOf>[3]): Taking[] {
  const all = uses.flatMap(({ capability, meter, quantity }) =>
    takingsOf(meter, quantity, doneBy(capability), limits),
  );
  const sum = (name: Taking['meter']): Taking => ({
    meter: name,
    quantity: all.filter(({ meter }) => meter === name).reduce((total, { quantity }) => total + quantity, 0),
  });
  return [sum('transcribed_ms'), sum('cost_microusd')];
}

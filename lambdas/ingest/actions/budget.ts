/** Whether what an ingest will cost fits into what is left of its tenant's month, as soon as it is known how long the media are. */

import { type Taking, takingsOf } from '../../../platform/admission/quota-reservations.ts';
import { doneBy } from '../../../platform/runtime/engines.ts';
import { requireRoom } from '../../../platform/runtime/reserve-in-step.ts';
import type { IngestJob } from '../../../shared/ingest-jobs.ts';
import type { TenantId } from '../../../shared/tenant.ts';
import type { Use } from '../rules/uses.ts';

/**
 * Holds it until the job has ended, against the quotas that the tenant had when its upload was finished. A repeat holds nothing twice.
 * Throws the JobError quota_exceeded.
 */
export const requireAffordable = (job: IngestJob, uses: readonly Use[], tenant: TenantId): Promise<void> =>
  requireRoom(job.asset_id, job, (quotas) => takingsIn(uses, { quotas }), tenant);

/** The sum of each meter, and the cost of all. */
function takingsIn(uses: readonly Use[], limits: Parameters<typeof takingsOf>[3]): Taking[] {
  const all = uses.flatMap(({ capability, meter, quantity }) =>
    takingsOf(meter, quantity, doneBy(capability), limits),
  );
  const sums = new Map<Taking['meter'], number>();
  for (const { meter, quantity } of all) sums.set(meter, (sums.get(meter) ?? 0) + quantity);
  return [...sums].map(([meter, quantity]) => ({ meter, quantity }));
}

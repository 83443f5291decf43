/** The demands of an ingest. Its quote shows them, and its steps reserve them once the duration of the media is known. */
import type { Demand } from '../../../platform/admission/demand.ts';
import { doneBy } from '../../../platform/runtime/engines.ts';
import { reserveInStep } from '../../../platform/runtime/reserve-in-step.ts';
import type { IngestJob } from '../../../shared/ingest-jobs.ts';
import type { TenantId } from '../../../shared/tenant.ts';
import type { Use } from '../rules/uses.ts';

export const ingestDemands = (uses: readonly Use[]): Demand[] =>
  uses.map(({ capability, ...use }) => ({ ...use, by: doneBy(capability) }));

/**
 * Reserves until the job has ended, against the quotas that the tenant had when its upload was finished. A repeat reserves nothing twice.
 * Throws the JobError quota_exceeded.
 */
export const reserveIngest = (job: IngestJob, uses: readonly Use[], tenant: TenantId): Promise<void> =>
  reserveInStep(job.asset_id, job, ingestDemands(uses), tenant);

/** Jobs of every kind. */
import * as contract from '../../../build/contract/jobs.js';
import { startOrEnqueue } from '../../../platform/admission/start-job.ts';
import { AllJobs } from '../../../platform/jobs/job-records.ts';
import { jobsPage } from '../../../platform/kernel/job-pages.ts';
import { followed, ok } from '../../../platform/kernel/replies.ts';
import { resource } from '../../../platform/kernel/resource.ts';
import { admissionQueue } from '../../../platform/runtime/admission-queue.ts';
import { followedView } from '../../../platform/runtime/job-views.ts';
import { publishingTable } from '../../../platform/runtime/publishing.ts';
import { executionsOf } from '../../../platform/runtime/stepfunctions.ts';
import type { Write } from '../../../platform/table/tenant-table.ts';
import type { AssetId } from '../../../shared/ids.ts';
import { jobView, type StoredJob } from '../../../shared/jobs.ts';
import type { TenantId } from '../../../shared/tenant.ts';
import { Assets } from '../../assets/records/assets.ts';
import { canceledFields } from '../../ingest/rules/outcomes.ts';

const services = (tenant: TenantId) => {
  const table = publishingTable(tenant);
  return { jobs: new AllJobs(table, tenant), assets: new Assets(table, tenant) };
};

export const handler = resource(contract, services, {
  listJobs: ({ query }, { jobs }) => jobsPage(query, '/v1/jobs', query, jobs),

  getJob: async ({ params, tenant }, { jobs }) => {
    const job = await jobs.get(params.job_id);
    await startOrEnqueue(tenant, job, admissionQueue());
    return followed(await followedView(job, tenant));
  },

  cancelJob: async ({ params, tenant, now }, { jobs, assets }) => {
    const job = await jobs.cancel(params.job_id, now, canceledAsset(assets, now));
    await clearIngest(job, tenant);
    return ok(jobView(job));
  },
});

/** The asset fails with its ingest, and not when the machine comes to it: its steps may wait for their turn for long. */
const canceledAsset =
  (assets: Assets, now: Date) =>
  async ({ type, job_id, ...job }: StoredJob): Promise<Write[]> =>
    type === 'ingest' && 'asset_id' in job
      ? assets.endingWrites(job.asset_id as AssetId, job_id, now, (asset) => canceledFields(asset, job_id))
      : [];

/** Has what an ingest had made removed without those of its steps that wait for their turn. Begun once, however often it is asked for. */
async function clearIngest({ type, job_id, machine, input }: StoredJob, tenant: TenantId): Promise<void> {
  if (type !== 'ingest') return;
  const failure = { Error: 'canceled', Cause: '' };
  await executionsOf(machine).start(`${job_id}-cancel`, { tenant, ...input, job_id, failure });
}

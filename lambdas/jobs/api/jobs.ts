import * as contract from '../../../build/contract/jobs.js';
import { AllJobs } from '../../../platform/jobs/job-records.ts';
import { followedJob, jobsPage } from '../../../platform/kernel/job-replies.ts';
import { ok } from '../../../platform/kernel/replies.ts';
import { resource } from '../../../platform/kernel/resource.ts';
import { publishingTable } from '../../../platform/runtime/publishing.ts';
import { executionsOf } from '../../../platform/runtime/stepfunctions.ts';
import type { Write } from '../../../platform/table/tenant-table.ts';
import type { AssetId, TenantId } from '../../../shared/ids.ts';
import { jobView, type StoredJob } from '../../../shared/jobs.ts';
import { Assets } from '../../assets/records/assets.ts';
import { canceledFields } from '../../ingest/rules/outcomes.ts';

const services = (tenant: TenantId) => {
  const table = publishingTable(tenant);
  return { jobs: new AllJobs(table, tenant), assets: new Assets(table, tenant) };
};

export const handler = resource(contract, services, {
  listJobs: ({ query }, { jobs }) => jobsPage(query, '/v1/jobs', query, jobs),

  getJob: async ({ params, tenant }, { jobs }) => followedJob(await jobs.get(params.job_id), tenant),

  cancelJob: async ({ params, tenant, now }, { jobs, assets }) => {
    const job = await jobs.cancel(params.job_id, now, canceledAsset(assets, now));
    await clearIngest(job, tenant);
    return ok(jobView(job));
  },
});

/** The writes that mark the asset of a canceled ingest as failed. Its machine may wait long for admission. */
const canceledAsset =
  (assets: Assets, now: Date) =>
  async ({ type, job_id, ...job }: StoredJob): Promise<Write[]> =>
    type === 'ingest' && 'asset_id' in job
      ? assets.endingWrites({ asset_id: job.asset_id as AssetId, job_id }, now, (asset) =>
          canceledFields(asset, job_id),
        )
      : [];

/** Starts the removal of a canceled ingest's results at once. A repeat starts nothing. */
async function clearIngest({ type, job_id, machine, input }: StoredJob, tenant: TenantId): Promise<void> {
  if (type !== 'ingest') return;
  const failure = { Error: 'canceled', Cause: '' };
  await executionsOf(machine).start(`${job_id}-cancel`, { tenant, ...input, job_id, failure });
}

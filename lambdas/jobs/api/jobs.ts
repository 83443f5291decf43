/** Jobs of every kind. */
import * as contract from '../../../contract/resources/jobs.ts';
import { ensureStarted } from '../../../platform/jobs/claim.ts';
import { AllJobs } from '../../../platform/jobs/records.ts';
import { jobsPage } from '../../../platform/kernel/job-pages.ts';
import { followed, ok } from '../../../platform/kernel/replies.ts';
import { resource } from '../../../platform/kernel/resource.ts';
import { publishingTable } from '../../../platform/runtime/publishing.ts';
import { followedView, jobExecutionsOf } from '../../../platform/runtime/turns.ts';
import { jobView } from '../../../platform/shared/jobs.ts';
import type { TenantId } from '../../../platform/shared/tenant.ts';

const services = (tenant: TenantId) => ({ jobs: new AllJobs(publishingTable(tenant), tenant) });

export const handler = resource(contract, services, {
  listJobs: ({ query }, { jobs }) => jobsPage(query, '/v1/jobs', query, jobs),

  getJob: async ({ params, tenant }, { jobs }) => {
    const job = await jobs.get(params.job_id);
    await ensureStarted(tenant, job, jobExecutionsOf);
    return followed(await followedView(job));
  },

  cancelJob: async ({ params, now }, { jobs }) => ok(jobView(await jobs.cancel(params.job_id, now))),
});

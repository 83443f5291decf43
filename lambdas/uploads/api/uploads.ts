/** The upload of an asset in four steps, and the job that processes it. */
import * as contract from '../../../build/contract/uploads.js';
import { startOrEnqueue } from '../../../platform/admission/start-job.ts';
import { Jobs } from '../../../platform/jobs/job-records.ts';
import { acceptedJob, followedJob, jobsOfAsset } from '../../../platform/kernel/job-replies.ts';
import { ok } from '../../../platform/kernel/replies.ts';
import { resource } from '../../../platform/kernel/resource.ts';
import { admissionQueue, jobStartIn } from '../../../platform/runtime/admission-queue.ts';
import { publishingTable } from '../../../platform/runtime/publishing.ts';
import { mediaObjects, presigner } from '../../../platform/runtime/s3.ts';
import type { TenantId } from '../../../shared/ids.ts';
import type { IngestOwn } from '../../../shared/ingest-jobs.ts';
import { Assets } from '../../assets/records/assets.ts';
import { finishAssetUpload, startAssetUpload } from '../actions/asset-upload.ts';

const services = (tenant: TenantId) => {
  const table = publishingTable(tenant);
  return {
    ...jobStartIn(table, tenant),
    assets: new Assets(table, tenant),
    jobs: new Jobs<'ingest', IngestOwn>(table, tenant, 'ingest'),
    objects: mediaObjects(tenant),
    addresses: presigner(),
  };
};

export const handler = resource(contract, services, {
  startUpload: async ({ params, body, ...caller }, services) => {
    const asset = await services.assets.get(params.asset_id);
    return ok(await startAssetUpload(asset, { ...caller, ...body }, services));
  },

  finishUpload: async ({ params, body, ...caller }, services) => {
    const asset = await services.assets.get(params.asset_id);
    const job = await finishAssetUpload(asset, { ...caller, ...body }, services);
    await startOrEnqueue(caller.tenant, job, admissionQueue());
    return acceptedJob(job);
  },

  getIngestJob: async ({ params, tenant }, { assets, jobs }) => {
    await assets.get(params.asset_id);
    return followedJob(await jobs.get(params.asset_id, params.job_id), tenant);
  },

  listIngestJobs: (input, services) => jobsOfAsset('ingest', input, services),
});

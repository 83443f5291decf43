/** The four-step upload of an asset, and the job that processes it. */
import * as contract from '../../../contract/resources/uploads.ts';
import { type IngestJob, Jobs } from '../../../platform/jobs/records.ts';
import { JobSlots } from '../../../platform/jobs/slots.ts';
import { dispatchEvents } from '../../../platform/kernel/dispatch-events.ts';
import { accepted, followed, ok } from '../../../platform/kernel/replies.ts';
import { resource } from '../../../platform/kernel/resource.ts';
import { coreTable, ephemeralTable } from '../../../platform/runtime/dynamodb.ts';
import { mediaObjects, presigner } from '../../../platform/runtime/s3.ts';
import { ingestExecutions } from '../../../platform/runtime/stepfunctions.ts';
import { acceptsUpload, type StoredAsset } from '../../../platform/shared/assets.ts';
import { type Job, jobView, newJob } from '../../../platform/shared/jobs.ts';
import { InvalidState } from '../../../platform/shared/problems.ts';
import type { TenantId } from '../../../platform/shared/tenant.ts';
import { sourceKey } from '../../../platform/store/objects.ts';
import { QuotaHolds } from '../../../platform/usage/holds.ts';
import { Usage } from '../../../platform/usage/records.ts';
import { Assets } from '../../assets/records/assets.ts';
import { openUpload, requireArrived, ticketFor } from '../actions/multipart.ts';
import { admit, requireQuota } from '../actions/upload-limits.ts';
import { bareEtags } from '../rules/upload-parts.ts';

const services = (tenant: TenantId) => {
  const table = coreTable(tenant);
  return {
    assets: new Assets(table, tenant),
    jobs: new Jobs<IngestJob>(table, tenant, 'ingest'),
    objects: mediaObjects(tenant),
    addresses: presigner(),
    executions: ingestExecutions,
    usage: new Usage(table, tenant),
    slots: new JobSlots(ephemeralTable(tenant), tenant),
    holds: new QuotaHolds(ephemeralTable(tenant), tenant),
  };
};

type Services = ReturnType<typeof services>;

export const handler = resource(contract, services, {
  startUpload: async ({ params, body, tenant, now, limits }, services) => {
    const { assets, objects, addresses } = services;
    const asset = await assets.get(params.asset_id);
    const key = sourceKey(tenant, asset.asset_id);
    requireOpen(asset);
    await requireQuota(limits, now, services);
    const isOpen = asset.status === 'uploading';
    const begin = (fresh: string) => assets.beginUpload(asset, fresh, now);
    const upload_id = await openUpload({ key, uploadId: isOpen ? asset.upload_id : null, begin }, objects);
    return ok(await ticketFor({ key, upload_id, parts: body.parts }, addresses, now));
  },

  finishUpload: async ({ params, body, tenant, now, newResourceId, limits }, services) => {
    const { assets, objects } = services;
    const asset = await assets.get(params.asset_id);
    const etags = bareEtags(body.etags);
    if (asset.ingest_job_id !== null) return sameJob(asset, etags, tenant, services);
    if (asset.upload_id === null) {
      throw new InvalidState(`The asset is ${asset.status}: call start_upload and send the parts first.`);
    }
    const key = sourceKey(tenant, asset.asset_id);
    const bytes = await requireArrived(key, asset.upload_id, etags, objects);
    const job = {
      ...newJob(newResourceId, 'ingest', asset.asset_id, now),
      upload_id: asset.upload_id,
      etags,
      transcription_id: newResourceId,
    };
    const dismiss = await admit(job, bytes, limits, now, services);
    const isOurs = await assets.beginProcessing(asset, job, now);
    if (!isOurs) return otherJob(job, dismiss, tenant, services);
    const answer = await acceptedJob(job, tenant, services);
    await dispatchEvents(tenant, now);
    return answer;
  },

  getIngestJob: async ({ params, tenant }, services) => {
    await services.assets.get(params.asset_id);
    const job = await services.jobs.get(params.asset_id, params.job_id);
    // A request that died between its record and its start left the job queued; whoever looks starts it.
    if (job.status === 'queued') await startIngest(job, tenant, services);
    return followed(jobView(job));
  },

  listIngestJobs: async ({ params }, { assets, jobs }) => {
    await assets.get(params.asset_id);
    return ok({ data: (await jobs.list(params.asset_id)).map(jobView) });
  },
});

function requireOpen({ status }: StoredAsset): void {
  if (acceptsUpload(status)) return;
  throw new InvalidState(`The asset is ${status}; uploads are no longer accepted.`);
}

/** Repeating finish_upload with the same parts answers the job that they started. */
async function sameJob(asset: StoredAsset, etags: readonly string[], tenant: TenantId, services: Services) {
  const job = asset.ingest_job_id && (await services.jobs.get(asset.asset_id, asset.ingest_job_id));
  const isRepeat = job && job.etags.join() === etags.join();
  if (!isRepeat)
    throw new InvalidState(`The asset is ${asset.status}: its upload was finished with other parts.`);
  return acceptedJob(job, tenant, services);
}

/** Another request was faster, or this one before it died. */
async function otherJob(job: IngestJob, dismiss: () => Promise<void>, tenant: TenantId, services: Services) {
  const asset = await services.assets.get(job.asset_id);
  if (asset.ingest_job_id !== job.job_id) await dismiss();
  return sameJob(asset, job.etags, tenant, services);
}

async function acceptedJob(job: IngestJob, tenant: TenantId, services: Services) {
  if (job.status === 'queued') await startIngest(job, tenant, services);
  return accepted(jobView(job), `/v1/assets/${job.asset_id}/ingest_jobs/${job.job_id}`);
}

const startIngest = (job: Job, tenant: TenantId, { executions }: Services) =>
  executions().start(job.job_id, { tenant, asset_id: job.asset_id, job_id: job.job_id });

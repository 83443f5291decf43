/** The four-step upload of an asset, and the job that processes it. */
import * as contract from '../../contract/uploads.ts';
import { Assets } from '../data/assets.ts';
import { type IngestJob, Jobs } from '../data/jobs.ts';
import { type MediaObjects, sourceKey } from '../data/objects.ts';
import { ADDRESS_LIFETIME_S } from '../data/presigner.ts';
import { acceptsUpload, type StoredAsset } from '../domain/assets.ts';
import { type Job, jobView, newJob } from '../domain/jobs.ts';
import { InvalidState } from '../domain/problems.ts';
import type { TenantId } from '../domain/tenant.ts';
import { bareEtags, requireSameParts } from '../domain/upload-parts.ts';
import { resource } from '../kernel/resource.ts';
import { coreTable } from '../runtime/dynamodb.ts';
import { mediaObjects, presigner } from '../runtime/s3.ts';
import { ingestExecutions } from '../runtime/stepfunctions.ts';
import { accepted, followed, ok } from './replies.ts';

const services = (tenant: TenantId) => {
  const table = coreTable(tenant);
  return {
    assets: new Assets(table, tenant),
    jobs: new Jobs<IngestJob>(table, tenant, 'ingest'),
    objects: mediaObjects(tenant),
    addresses: presigner(),
    executions: ingestExecutions(),
  };
};

type Services = ReturnType<typeof services>;

export const handler = resource(contract, services, {
  startUpload: async ({ params, body, tenant, now }, { assets, objects, addresses }) => {
    const asset = await assets.get(params.asset_id);
    const key = sourceKey(tenant, asset.asset_id);
    const upload_id = await openUpload(asset, key, now, assets, objects);
    const numbers = Array.from({ length: body.parts }, (_, at) => at + 1);
    const parts = await Promise.all(
      numbers.map(async (part_number) => ({
        part_number,
        url: await addresses.uploadPart(key, upload_id, part_number),
      })),
    );
    const expires_at = new Date(now.getTime() + ADDRESS_LIFETIME_S * 1000).toISOString();
    return ok({ upload_id, expires_at, parts });
  },

  finishUpload: async ({ params, body, tenant, now, newResourceId }, services) => {
    const { assets, objects } = services;
    const asset = await assets.get(params.asset_id);
    const etags = bareEtags(body.etags);
    if (asset.ingest_job_id !== null) return sameJob(asset, etags, tenant, services);
    if (asset.upload_id === null) {
      throw new InvalidState(`The asset is ${asset.status}: call start_upload and send the parts first.`);
    }
    requireSameParts(
      etags,
      (await objects.listParts(sourceKey(tenant, asset.asset_id), asset.upload_id)) ?? [],
    );
    const job = {
      ...newJob(newResourceId, 'ingest', asset.asset_id, now),
      upload_id: asset.upload_id,
      etags,
      transcription_id: newResourceId,
    };
    const isOurs = await assets.beginProcessing(asset, job, now);
    if (!isOurs) return sameJob(await assets.get(asset.asset_id), etags, tenant, services);
    return acceptedJob(job, tenant, services);
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

/** The upload that is open already and still exists, or a new one. */
async function openUpload(
  asset: StoredAsset,
  key: string,
  now: Date,
  assets: Assets,
  objects: MediaObjects,
): Promise<string> {
  if (!acceptsUpload(asset.status)) {
    throw new InvalidState(`The asset is ${asset.status}; uploads are no longer accepted.`);
  }
  const isOpen = asset.status === 'uploading' && asset.upload_id !== null;
  if (isOpen && (await objects.listParts(key, asset.upload_id!)) !== null) return asset.upload_id!;
  const fresh = await objects.createUpload(key);
  const holding = await assets.beginUpload(asset, fresh, now);
  if (holding !== fresh) await objects.abortUpload(key, fresh);
  return holding;
}

/** Repeating finish_upload with the same parts answers the job that they started. */
async function sameJob(asset: StoredAsset, etags: readonly string[], tenant: TenantId, services: Services) {
  const job = asset.ingest_job_id && (await services.jobs.get(asset.asset_id, asset.ingest_job_id));
  const isRepeat = job && job.etags.join() === etags.join();
  if (!isRepeat)
    throw new InvalidState(`The asset is ${asset.status}: its upload was finished with other parts.`);
  return acceptedJob(job, tenant, services);
}

async function acceptedJob(job: IngestJob, tenant: TenantId, services: Services) {
  if (job.status === 'queued') await startIngest(job, tenant, services);
  return accepted(jobView(job), `/v1/assets/${job.asset_id}/ingest_jobs/${job.job_id}`);
}

const startIngest = (job: Job, tenant: TenantId, { executions }: Services) =>
  executions.start(job.job_id, { tenant, asset_id: job.asset_id, job_id: job.job_id });

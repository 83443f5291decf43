/** The upload of an asset in four steps, and the job that processes it. */
import * as contract from '../../../build/contract/uploads.js';
import { enginesNamed } from '../../../platform/admission/capacity.ts';
import { uploadDemands } from '../../../platform/admission/demand.ts';
import { startOrEnqueue } from '../../../platform/admission/start-job.ts';
import { claimJob, requireSameJob } from '../../../platform/jobs/claim-job.ts';
import { Jobs } from '../../../platform/jobs/job-records.ts';
import { jobsPage } from '../../../platform/kernel/job-pages.ts';
import { acceptedJob, followed, ok } from '../../../platform/kernel/replies.ts';
import { resource } from '../../../platform/kernel/resource.ts';
import { sourceKey } from '../../../platform/objects/media-objects.ts';
import { admissionQueue } from '../../../platform/runtime/admission-queue.ts';
import { jobStartIn } from '../../../platform/runtime/job-start.ts';
import { followedView } from '../../../platform/runtime/job-views.ts';
import { publishingTable } from '../../../platform/runtime/publishing.ts';
import { keptQuotas } from '../../../platform/runtime/reserve-in-step.ts';
import { mediaObjects, presigner } from '../../../platform/runtime/s3.ts';
import { acceptsUpload, type StoredAsset } from '../../../shared/assets.ts';
import { asJobId } from '../../../shared/ids.ts';
import { type IngestJob, type IngestOwn, newIngestJob } from '../../../shared/ingest-jobs.ts';
import { jobView } from '../../../shared/jobs.ts';
import { MEDIA_LIMITS } from '../../../shared/media.ts';
import { InvalidState } from '../../../shared/problems.ts';
import type { TenantId } from '../../../shared/tenant.ts';
import { engineMeters } from '../../../shared/usage.ts';
import { Assets } from '../../assets/records/assets.ts';
import { templatesOf } from '../../settings/records/template-options.ts';
import { createUploadUrls, openUpload, requireUploadedParts } from '../actions/multipart-upload.ts';
import { partsAreKept, requireUploadRoom } from '../actions/require-upload-room.ts';
import { requiredEngines } from '../rules/required-engines.ts';
import { bareEtags } from '../rules/upload-parts.ts';

const services = (tenant: TenantId) => {
  const table = publishingTable(tenant);
  return {
    ...jobStartIn(table, tenant),
    assets: new Assets(table, tenant),
    templates: templatesOf(table, tenant),
    jobs: new Jobs<'ingest', IngestOwn>(table, tenant, 'ingest'),
    objects: mediaObjects(tenant),
    addresses: presigner(),
  };
};

export const handler = resource(contract, services, {
  startUpload: async ({ params, body, tenant, now, limits }, services) => {
    const { assets, objects, addresses } = services;
    const asset = await assets.get(params.asset_id);
    const key = sourceKey(tenant, asset.asset_id);
    requireOpen(asset);
    await requireUploadRoom(limits, now, services);
    const isOpen = asset.status === 'uploading';
    const begin = (fresh: string) => assets.beginUpload(asset, fresh, now);
    const upload_id = await openUpload({ key, uploadId: isOpen ? asset.upload_id : null, begin }, objects);
    return ok(await createUploadUrls({ key, upload_id, parts: body.parts }, addresses, now));
  },

  finishUpload: async ({ params, body, tenant, now, newResourceId, limits }, services) => {
    const { assets, jobs, objects, templates } = services;
    const asset = await assets.get(params.asset_id);
    const etags = bareEtags(body.etags);
    const isSame = ({ own }: IngestJob) => own.etags.join() === etags.join();
    const otherwise = `The asset is ${asset.status}: its upload was finished with other parts.`;
    const current = async () => {
      const { asset_id, ingest_job_id } = await assets.get(asset.asset_id);
      return ingest_job_id === null ? null : jobs.find(asset_id, ingest_job_id);
    };
    if (asset.ingest_job_id !== null)
      return answer(requireSameJob(await current(), { isSame, otherwise }), tenant);
    if (asset.upload_id === null) {
      throw new InvalidState(`The asset is ${asset.status}: call start_upload and send the parts first.`);
    }
    const key = sourceKey(tenant, asset.asset_id);
    const upload = { key, uploadId: asset.upload_id };
    const bytes = await requireUploadedParts(upload, etags, objects, MEDIA_LIMITS);
    const job = newIngestJob(
      asJobId(newResourceId),
      asset.asset_id,
      { upload_id: asset.upload_id, etags, ...keptQuotas(limits, ingestMeters) },
      now,
      enginesNamed(requiredEngines(await templates.find(asset.template_id))),
    );
    const { release } = await services.reservations.reserve({
      owner_id: asset.asset_id,
      job_id: job.job_id,
      demands: uploadDemands(bytes),
      limits,
      now,
      kept: partsAreKept,
    });
    const record = () => assets.beginProcessing(asset, job, now);
    return answer(await claimJob(job, { record, current, isSame, release, otherwise }), tenant);
  },

  getIngestJob: async ({ params, tenant }, { assets, jobs }) => {
    await assets.get(params.asset_id);
    const job = await jobs.get(params.asset_id, params.job_id);
    await startOrEnqueue(tenant, job, admissionQueue());
    return followed(await followedView(job, tenant));
  },

  listIngestJobs: async ({ params, query }, { assets, all }) => {
    await assets.get(params.asset_id);
    const path = `/v1/assets/${params.asset_id}/ingest_jobs`;
    return jobsPage<'ingest'>(query, path, { asset_id: params.asset_id, type: 'ingest' }, all);
  },
});

/** Meters on which the job reserves quota, once the duration of the media is known. */
const ingestMeters = [...engineMeters, 'cost_microusd'] as const;

function requireOpen({ status, clearing_job_id }: StoredAsset): void {
  if (clearing_job_id) {
    throw new InvalidState(
      'The results of the canceled ingest are still being removed. Try again in a few seconds.',
    );
  }
  if (acceptsUpload(status)) return;
  throw new InvalidState(`The asset is ${status}; uploads are no longer accepted.`);
}

async function answer(job: IngestJob, tenant: TenantId) {
  await startOrEnqueue(tenant, job, admissionQueue());
  return acceptedJob<'ingest'>(jobView(job));
}

import * as contract from '../../../build/contract/branding-media.js';
import { startOrEnqueue } from '../../../platform/admission/start-job.ts';
import {
  configurationHandlers,
  configurationServices,
  type Peculiarities,
} from '../../../platform/kernel/crud.ts';
import { followedJob } from '../../../platform/kernel/job-replies.ts';
import { accepted, ok } from '../../../platform/kernel/replies.ts';
import { type Caller, resource } from '../../../platform/kernel/resource.ts';
import { brandingKey, brandingPrefix } from '../../../platform/objects/media-objects.ts';
import { addressEnd } from '../../../platform/objects/presigner.ts';
import type { Stored } from '../../../platform/records/configuration.ts';
import { admissionQueue, jobStartIn } from '../../../platform/runtime/admission-queue.ts';
import { publishingTable } from '../../../platform/runtime/publishing.ts';
import { mediaObjects, presigner } from '../../../platform/runtime/s3.ts';
import { usageOf } from '../../../platform/runtime/usage.ts';
import type { Values } from '../../../platform/table/table.ts';
import { asJobId, type TenantId } from '../../../shared/ids.ts';
import { jobView } from '../../../shared/jobs.ts';
import { finishFileUpload, startFileUpload } from '../actions/upload-branding-file.ts';
import { BrandingFiles, placeOfFiles, type StoredFile } from '../records/branding-files.ts';
import { type FileType, fileIdNames } from '../rules/branding-files.ts';

interface Given<Body> extends Caller {
  readonly params: Readonly<Record<string, string>>;
  readonly body: Body;
}

const servicesOf = (tenant: TenantId, type: FileType) => {
  const table = publishingTable(tenant);
  const files = new BrandingFiles(table, tenant, type);
  return { ...jobStartIn(table, tenant), type, files, objects: mediaObjects(tenant), addresses: presigner() };
};

function uploadsOf(type: FileType) {
  const idOf = (params: Given<unknown>['params']) => params[fileIdNames[type]] ?? '';
  return {
    start: async ({ params, body, ...caller }: Given<{ parts: number }>) =>
      ok(await startFileUpload(idOf(params), { ...caller, ...body }, servicesOf(caller.tenant, type))),

    finish: async ({ params, body, ...caller }: Given<{ etags: string[]; size_bytes?: number }>) => {
      const id = idOf(params);
      const job = await finishFileUpload(id, { ...caller, ...body }, servicesOf(caller.tenant, type));
      await startOrEnqueue(caller.tenant, job, admissionQueue());
      return accepted(jobView(job), `/v1/${type}/${id}/upload_jobs/${job.job_id}`);
    },

    job: async ({ params, tenant }: Omit<Given<unknown>, 'body'>) => {
      const { files } = servicesOf(tenant, type);
      const { id } = await files.get(idOf(params));
      return followedJob(await files.jobs.get(id, asJobId(params.job_id ?? '')), tenant);
    },
  };
}

/** A temporary URL and facts of the converted file. */
async function previewOf(stored: Stored, _: TenantId, now: Date): Promise<Values> {
  const { file } = stored as StoredFile;
  if (!file) return {};
  return {
    preview_url: await presigner().download(file.key),
    preview_expires_at: addressEnd(now),
    frame_rate: file.frame_rate && Math.round((1000 * file.frame_rate.num) / file.frame_rate.den) / 1000,
    has_audio: file.has_audio,
  };
}

/** Deletes the file before its record, so that a request can be repeated after a crash. */
const peculiarities = (type: FileType): Peculiarities => ({
  shown: previewOf,
  beforeDelete: async (stored, { tenant }, { configuration }) => {
    const { id, upload_id } = stored as StoredFile;
    await configuration.close(placeOfFiles(type), id);
    const objects = mediaObjects(tenant);
    if (upload_id) await objects.abortUpload(brandingKey(tenant, type, id), upload_id);
    await objects.deleteAll(brandingPrefix(tenant, type, id));
  },
  afterDelete: async (id, tenant, _, now) => {
    const table = publishingTable(tenant);
    await new BrandingFiles(table, tenant, type).eraseJobs(id, now);
    await usageOf(table, tenant).recordRemoved(id, now);
    // Deletes the objects again, because the step that checks the file may have joined the parts meanwhile.
    await mediaObjects(tenant).deleteAll(brandingPrefix(tenant, type, id));
  },
});

const overlays = uploadsOf('branding_overlays');
const clips = uploadsOf('branding_clips');

export const handler = resource(contract, configurationServices, {
  ...configurationHandlers(contract, {
    branding_overlays: peculiarities('branding_overlays'),
    branding_clips: peculiarities('branding_clips'),
  }),
  startBrandingOverlayUpload: overlays.start,
  finishBrandingOverlayUpload: overlays.finish,
  getBrandingOverlayUploadJob: overlays.job,
  startBrandingClipUpload: clips.start,
  finishBrandingClipUpload: clips.finish,
  getBrandingClipUploadJob: clips.job,
});

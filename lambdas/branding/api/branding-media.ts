/** Branding overlays and clips, and the upload of their files. */
import * as contract from '../../../build/contract/branding-media.js';
import { uploadDemands } from '../../../platform/admission/demand.ts';
import { startOrEnqueue } from '../../../platform/admission/start-job.ts';
import { claimJob, requireSameJob } from '../../../platform/jobs/claim-job.ts';
import {
  configurationHandlers,
  configurationServices,
  type Peculiarities,
} from '../../../platform/kernel/crud.ts';
import { accepted, followed, ok } from '../../../platform/kernel/replies.ts';
import { type Caller, resource } from '../../../platform/kernel/resource.ts';
import { brandingKey, brandingPrefix } from '../../../platform/objects/media-objects.ts';
import { ADDRESS_LIFETIME_S } from '../../../platform/objects/presigner.ts';
import type { Stored } from '../../../platform/records/configuration.ts';
import { admissionQueue } from '../../../platform/runtime/admission-queue.ts';
import { jobStartIn } from '../../../platform/runtime/job-start.ts';
import { followedView } from '../../../platform/runtime/job-views.ts';
import { publishingTable } from '../../../platform/runtime/publishing.ts';
import { keptQuotas } from '../../../platform/runtime/reserve-in-step.ts';
import { mediaObjects, presigner } from '../../../platform/runtime/s3.ts';
import type { Values } from '../../../platform/table/tenant-table.ts';
import { Usage } from '../../../platform/usage/metering.ts';
import { asJobId } from '../../../shared/ids.ts';
import { jobView } from '../../../shared/jobs.ts';
import { InvalidState } from '../../../shared/problems.ts';
import type { TenantId } from '../../../shared/tenant.ts';
import {
  createUploadUrls,
  openUpload,
  requireUploadedParts,
} from '../../uploads/actions/multipart-upload.ts';
import { partsAreKept, requireUploadRoom } from '../../uploads/actions/require-upload-room.ts';
import { bareEtags } from '../../uploads/rules/upload-parts.ts';
import { BrandingFiles, placeOfFiles, type StoredFile } from '../records/branding-files.ts';
import {
  FILE_LIMITS,
  type FileJob,
  type FileType,
  fileIdNames,
  newFileJob,
} from '../rules/branding-files.ts';

type Params = Readonly<Record<string, string>>;
interface Given<Body> extends Caller {
  readonly params: Params;
  readonly body: Body;
}

/** Starts, finishes and follows uploads of one type of file. */
function uploadsOf(type: FileType) {
  const idName = fileIdNames[type];
  const filesOf = (tenant: TenantId) => new BrandingFiles(publishingTable(tenant), tenant, type);
  const answer = async (job: FileJob, id: string, tenant: TenantId) => {
    await startOrEnqueue(tenant, job, admissionQueue());
    return accepted(jobView(job), `/v1/${type}/${id}/upload_jobs/${job.job_id}`);
  };

  return {
    start: async ({ params, body, tenant, now, limits }: Given<{ parts: number }>) => {
      const files = filesOf(tenant);
      const objects = mediaObjects(tenant);
      await requireUploadRoom(limits, now, { usage: startIn(tenant).usage, objects });
      const file = await files.get(params[idName]!);
      requireOpen(file);
      const key = brandingKey(tenant, type, file.id);
      const begin = (fresh: string) => files.beginUpload(file, fresh, now);
      const upload = { key, uploadId: file.upload_id ?? null, begin };
      const upload_id = await openUpload(upload, objects);
      return ok(await createUploadUrls({ key, upload_id, parts: body.parts }, presigner(), now));
    },

    finish: async ({ params, body, tenant, now, newResourceId, limits }: Given<{ etags: string[] }>) => {
      const files = filesOf(tenant);
      const file = await files.get(params[idName]!);
      const etags = bareEtags(body.etags);
      const isSame = ({ own }: FileJob) => own.etags.join() === etags.join();
      const otherwise = 'The upload was finished with other parts.';
      const current = async () => {
        const { id, upload_job_id } = await files.get(file.id);
        return upload_job_id ? files.jobs.find(id, upload_job_id) : null;
      };
      if (file.upload_job_id)
        return answer(requireSameJob(await current(), { isSame, otherwise }), file.id, tenant);
      if (!file.upload_id) throw new InvalidState('Call start_upload and send the parts first.');
      const { upload_id } = file;
      const upload = { key: brandingKey(tenant, type, file.id), uploadId: upload_id };
      const bytes = await requireUploadedParts(upload, etags, mediaObjects(tenant), FILE_LIMITS);
      const own = { upload_id, etags, ...keptQuotas(limits, ['rendered_ms']) };
      const job = newFileJob(asJobId(newResourceId), type, file.id, own, now);
      const { release } = await startIn(tenant).reservations.reserve({
        owner_id: file.id,
        job_id: job.job_id,
        demands: uploadDemands(bytes),
        limits,
        now,
        kept: partsAreKept,
      });
      const record = () => files.beginCheck(file, job, now);
      return answer(await claimJob(job, { record, current, isSame, release, otherwise }), file.id, tenant);
    },

    job: async ({ params, tenant }: Omit<Given<unknown>, 'body'>) => {
      const files = filesOf(tenant);
      await files.get(params[idName]!);
      const job = await files.jobs.get(params[idName]!, asJobId(params.job_id!));
      await startOrEnqueue(tenant, job, admissionQueue());
      return followed(await followedView(job, tenant));
    },
  };
}

function requireOpen({ upload_id, upload_job_id }: StoredFile): void {
  if (upload_id && upload_job_id)
    throw new InvalidState('The uploaded file is being checked. Wait for the end of its job.');
}

/** A temporary URL and facts of the converted file. */
async function previewOf(stored: Stored, _: TenantId, now: Date): Promise<Values> {
  const { file } = stored as StoredFile;
  if (!file) return {};
  const expires = new Date(now.getTime() + ADDRESS_LIFETIME_S * 1000);
  return {
    preview_url: await presigner().download(file.key),
    preview_expires_at: expires.toISOString(),
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
    await new Usage(table, tenant).recordRemoved(id, now);
    // The check may have joined the parts meanwhile.
    await mediaObjects(tenant).deleteAll(brandingPrefix(tenant, type, id));
  },
});

const startIn = (tenant: TenantId) => jobStartIn(publishingTable(tenant), tenant);

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

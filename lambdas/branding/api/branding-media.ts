/** Branding overlays and clips, and the upload of their files. */
import * as contract from '../../../contract/resources/branding-media.ts';
import { claimed, ensureStarted, sameAs } from '../../../platform/jobs/claim.ts';
import {
  configurationHandlers,
  configurationServices,
  type Peculiarities,
} from '../../../platform/kernel/crud.ts';
import { accepted, followed, ok } from '../../../platform/kernel/replies.ts';
import { type Caller, resource } from '../../../platform/kernel/resource.ts';
import { publishingTable } from '../../../platform/runtime/publishing.ts';
import { mediaObjects, presigner } from '../../../platform/runtime/s3.ts';
import { executionsOf } from '../../../platform/runtime/stepfunctions.ts';
import { asJobId } from '../../../platform/shared/ids.ts';
import { jobView } from '../../../platform/shared/jobs.ts';
import { InvalidState } from '../../../platform/shared/problems.ts';
import type { TenantId } from '../../../platform/shared/tenant.ts';
import { brandingKey, brandingPrefix } from '../../../platform/store/objects.ts';
import { openUpload, requireArrived, ticketFor } from '../../uploads/actions/multipart.ts';
import { bareEtags } from '../../uploads/rules/upload-parts.ts';
import { BrandingFiles, placeOfFiles, type StoredFile } from '../records/files.ts';
import { FILE_LIMITS, type FileJob, type FileType, fileIdNames, newFileJob } from '../rules/files.ts';

type Params = Readonly<Record<string, string>>;
interface Given<Body> extends Caller {
  readonly params: Params;
  readonly body: Body;
}

/** Start, finish and follow the upload of one type of file. */
function uploadsOf(type: FileType) {
  const idName = fileIdNames[type];
  const filesOf = (tenant: TenantId) => new BrandingFiles(publishingTable(tenant), tenant, type);
  const answer = async (job: FileJob, id: string, tenant: TenantId) => {
    await ensureStarted(tenant, job, executionsOf);
    return accepted(jobView(job), `/v1/${type}/${id}/upload_jobs/${job.job_id}`);
  };

  return {
    start: async ({ params, body, tenant, now }: Given<{ parts: number }>) => {
      const files = filesOf(tenant);
      const file = await files.get(params[idName]!);
      requireOpen(file);
      const key = brandingKey(tenant, type, file.id);
      const begin = (fresh: string) => files.beginUpload(file, fresh, now);
      const upload = { key, uploadId: file.upload_id ?? null, begin };
      const upload_id = await openUpload(upload, mediaObjects(tenant));
      return ok(await ticketFor({ key, upload_id, parts: body.parts }, presigner(), now));
    },

    finish: async ({ params, body, tenant, now, newResourceId }: Given<{ etags: string[] }>) => {
      const files = filesOf(tenant);
      const file = await files.get(params[idName]!);
      const etags = bareEtags(body.etags);
      const isSame = ({ own }: FileJob) => own.etags.join() === etags.join();
      const otherwise = 'The upload was finished with other parts.';
      const current = async () => {
        const { id, upload_job_id } = await files.get(file.id);
        return upload_job_id ? files.jobs.find(id, upload_job_id) : null;
      };
      if (file.upload_job_id) return answer(sameAs(await current(), { isSame, otherwise }), file.id, tenant);
      if (!file.upload_id) throw new InvalidState('Call start_upload and send the parts first.');
      const { upload_id } = file;
      const upload = { key: brandingKey(tenant, type, file.id), uploadId: upload_id };
      await requireArrived(upload, etags, mediaObjects(tenant), FILE_LIMITS);
      const job = newFileJob(asJobId(newResourceId), type, file.id, { upload_id, etags }, now);
      const record = () => files.beginCheck(file, job, now);
      return answer(await claimed(job, { record, current, isSame, otherwise }), file.id, tenant);
    },

    job: async ({ params, tenant }: Omit<Given<unknown>, 'body'>) => {
      const files = filesOf(tenant);
      await files.get(params[idName]!);
      const job = await files.jobs.get(params[idName]!, asJobId(params.job_id!));
      await ensureStarted(tenant, job, executionsOf);
      return followed(jobView(job));
    },
  };
}

function requireOpen({ status, upload_job_id }: StoredFile): void {
  if (status === 'ready')
    throw new InvalidState('The file is there already. Create another for another file.');
  if (status === 'uploading' && upload_job_id)
    throw new InvalidState('The file that was sent is being checked.');
}

/** The file goes before its record, so that a request that dies in between can be repeated. */
const removal = (type: FileType): Peculiarities => ({
  beforeDelete: async (stored, { tenant }, { configuration }) => {
    const { id, upload_id } = stored as StoredFile;
    await configuration.close(placeOfFiles(type), id);
    const objects = mediaObjects(tenant);
    if (upload_id) await objects.abortUpload(brandingKey(tenant, type, id), upload_id);
    await objects.deleteAll(brandingPrefix(tenant, type, id));
  },
  afterDelete: async (id, tenant, { table }) => {
    await new BrandingFiles(table, tenant, type).eraseJobs(id);
    // Its check may have joined the parts meanwhile.
    await mediaObjects(tenant).deleteAll(brandingPrefix(tenant, type, id));
  },
});

const overlays = uploadsOf('branding_overlays');
const clips = uploadsOf('branding_clips');

export const handler = resource(contract, configurationServices, {
  ...configurationHandlers(contract, {
    branding_overlays: removal('branding_overlays'),
    branding_clips: removal('branding_clips'),
  }),
  startBrandingOverlayUpload: overlays.start,
  finishBrandingOverlayUpload: overlays.finish,
  getBrandingOverlayUploadJob: overlays.job,
  startBrandingClipUpload: clips.start,
  finishBrandingClipUpload: clips.finish,
  getBrandingClipUploadJob: clips.job,
});

/** Branding overlays and clips, and the upload of their files. */
import * as contract from '../../../contract/resources/branding-media.ts';
import {
  configurationHandlers,
  configurationServices,
  type Peculiarities,
} from '../../../platform/kernel/crud.ts';
import { dispatchEvents } from '../../../platform/kernel/dispatch-events.ts';
import { accepted, followed, ok } from '../../../platform/kernel/replies.ts';
import { type Caller, resource } from '../../../platform/kernel/resource.ts';
import { coreTable } from '../../../platform/runtime/dynamodb.ts';
import { mediaObjects, presigner } from '../../../platform/runtime/s3.ts';
import { brandingUploadExecutions } from '../../../platform/runtime/stepfunctions.ts';
import { InvalidState } from '../../../platform/shared/problems.ts';
import type { TenantId } from '../../../platform/shared/tenant.ts';
import { brandingKey, brandingPrefix } from '../../../platform/store/objects.ts';
import { openUpload, requireArrived, ticketFor } from '../../uploads/actions/multipart.ts';
import { bareEtags } from '../../uploads/rules/upload-parts.ts';
import { BrandingFiles, placeOfFiles, type StoredFile } from '../records/files.ts';
import { type FileJob, type FileType, fileIdNames, fileJobView, newFileJob } from '../rules/files.ts';

type Params = Readonly<Record<string, string>>;
interface Given<Body> extends Caller {
  readonly params: Params;
  readonly body: Body;
}

/** Start, finish and follow the upload of one type of file. */
function uploadsOf(type: FileType) {
  const idName = fileIdNames[type];
  const filesOf = (tenant: TenantId) => new BrandingFiles(coreTable(tenant), tenant, type);
  const view = (job: FileJob) => fileJobView(type, job);
  const run = (job: FileJob, tenant: TenantId) =>
    brandingUploadExecutions().start(job.job_id, {
      tenant,
      type,
      file_id: job.file_id,
      job_id: job.job_id,
    });
  const acceptedJob = async (job: FileJob, tenant: TenantId) => {
    if (job.status === 'queued') await run(job, tenant);
    return accepted(view(job), `/v1/${type}/${job.file_id}/upload_jobs/${job.job_id}`);
  };

  /** Repeating finish_upload with the same parts answers the job that they started. */
  const sameJob = async (file: StoredFile, etags: readonly string[], tenant: TenantId) => {
    const job = await filesOf(tenant).jobs.get(file.id, file.upload_job_id!);
    if (job.etags.join() === etags.join()) return acceptedJob(job, tenant);
    throw new InvalidState('The upload was finished with other parts.');
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
      if (file.upload_job_id) return sameJob(file, etags, tenant);
      if (!file.upload_id) throw new InvalidState('Call start_upload and send the parts first.');
      const { upload_id } = file;
      await requireArrived(brandingKey(tenant, type, file.id), upload_id, etags, mediaObjects(tenant));
      const job = newFileJob(newResourceId, file.id, { upload_id, etags }, now);
      const isOurs = await files.beginCheck(file, job, now);
      if (!isOurs) return sameJob(await files.get(file.id), etags, tenant);
      const answer = await acceptedJob(job, tenant);
      await dispatchEvents(tenant, now);
      return answer;
    },

    job: async ({ params, tenant }: Omit<Given<unknown>, 'body'>) => {
      const files = filesOf(tenant);
      await files.get(params[idName]!);
      const job = await files.jobs.get(params[idName]!, params.job_id!);
      // A request that died between its record and its start left the job queued; whoever looks starts it.
      if (job.status === 'queued') await run(job, tenant);
      return followed(view(job));
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

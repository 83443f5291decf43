/** The upload of a branding file: its start and its end. */
import type { Reservations } from '../../../platform/admission/reservations.ts';
import { brandingKey, type MediaObjects } from '../../../platform/objects/media-objects.ts';
import type { Presigner } from '../../../platform/objects/presigner.ts';
import { keptQuotas } from '../../../platform/runtime/reserve-in-step.ts';
import type { Usage } from '../../../platform/usage/metering.ts';
import type { JobId, TenantId } from '../../../shared/ids.ts';
import { InvalidState } from '../../../shared/problems.ts';
import type { Limits } from '../../../shared/usage.ts';
import {
  type FinishedUpload,
  type FinishRequest,
  finishUpload,
} from '../../uploads/actions/finish-upload.ts';
import { createUploadUrls, openUpload } from '../../uploads/actions/multipart-upload.ts';
import { requireUploadRoom } from '../../uploads/actions/require-upload-room.ts';
import type { BrandingFiles } from '../records/branding-files.ts';
import { FILE_LIMITS, type FileJob, type FileType, newFileJob } from '../rules/branding-files.ts';

interface Services {
  readonly tenant: TenantId;
  readonly type: FileType;
  readonly files: BrandingFiles;
  readonly objects: MediaObjects;
}

/** Opens the upload, or continues the open one. Returns one upload URL for each part. */
export async function startFileUpload(
  fileId: string,
  { parts, now, limits }: { readonly parts: number; readonly now: Date; readonly limits: Limits },
  services: Services & { readonly usage: Usage; readonly addresses: Presigner },
) {
  const { tenant, type, files, objects, addresses } = services;
  await requireUploadRoom(limits, now, services);
  const file = await files.get(fileId);
  if (file.upload_id && file.upload_job_id)
    throw new InvalidState('The uploaded file is being checked. Wait for the end of its job.');
  const key = brandingKey(tenant, type, file.id);
  const begin = (fresh: string) => files.beginUpload(file, { upload_id: fresh, upload_parts: parts }, now);
  const promise = (open: string) => files.promiseParts(file, { upload_id: open, upload_parts: parts }, now);
  const upload_id = await openUpload({ key, uploadId: file.upload_id ?? null, begin, promise }, objects);
  return createUploadUrls({ key, upload_id, parts }, addresses, now);
}

export async function finishFileUpload(
  fileId: string,
  request: FinishRequest,
  services: Services & { readonly reservations: Reservations },
): Promise<FileJob> {
  const { tenant, type, files } = services;
  const { limits, now } = request;
  const file = await files.get(fileId);
  const upload = {
    owner_id: file.id,
    key: brandingKey(tenant, type, file.id),
    upload_id: file.upload_id ?? null,
    upload_parts: file.upload_parts,
    owner_job_id: file.upload_job_id ?? null,
    most: FILE_LIMITS,
    current: async () => {
      const { id, upload_job_id } = await files.get(file.id);
      return upload_job_id ? files.jobs.find(id, upload_job_id) : null;
    },
    newJob: async (jobId: JobId, own: FinishedUpload) =>
      newFileJob(jobId, {
        type,
        file_id: file.id,
        own: { ...own, ...keptQuotas(limits, ['rendered_ms']) },
        now,
      }),
    record: (job: FileJob) => files.beginCheck(file, job, now),
    details: {
      notStarted: 'Call start_upload and send the parts first.',
      finishedOtherwise: 'The upload was finished with other parts.',
    },
  };
  return finishUpload<FileJob>(upload, request, services);
}

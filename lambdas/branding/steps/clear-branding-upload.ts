/** Removes what a canceled check of a branding file had made, then gives the upload back. */
import { step } from '../../../platform/kernel/step.ts';
import { canceledFailure } from '../../../platform/shared/jobs.ts';
import { noneFound } from '../../../platform/shared/problems.ts';
import { brandingKey, brandingPrefix } from '../../../platform/store/objects.ts';
import { type BrandingUploadInput, brandingServices } from '../actions/upload.ts';

export const handler = step<BrandingUploadInput, object>(
  'ClearBrandingUpload',
  async (input, { tenant, now }) => {
    const { files, objects } = brandingServices(tenant, input.type);
    const { file_id, job_id, type } = input;
    const file = await files.get(file_id).catch(noneFound);
    const isOurs = file === null || file.upload_job_id === job_id;
    const key = brandingKey(tenant, type, file_id);
    if (isOurs && file?.upload_id) await objects.abortUpload(key, file.upload_id);
    if (isOurs) await objects.deleteAll(brandingPrefix(tenant, type, file_id));
    if (file !== null && isOurs) await files.fail(file_id, job_id, canceledFailure, now());
    await files.jobs.closed(job_id);
    return {};
  },
);

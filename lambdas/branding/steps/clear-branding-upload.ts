/** Removes what a canceled check of a branding file had made, then gives the upload back. */
import { step } from '../../../platform/kernel/step.ts';
import { canceledFailure } from '../../../shared/jobs.ts';
import { type BrandingUploadInput, brandingServices, removeUpload } from '../actions/branding-uploads.ts';

export const handler = step<BrandingUploadInput, object>(
  'ClearBrandingUpload',
  async (input, { tenant, now }) => {
    const services = brandingServices(tenant, input.type);
    const { file_id, job_id } = input;
    await removeUpload(input, tenant, now(), services);
    await services.files.fail(file_id, job_id, canceledFailure, now());
    // A request that deleted the file and died leaves its jobs.
    if (await services.files.isGone(file_id)) await services.files.eraseJobs(file_id, now());
    await services.files.jobs.closed(job_id);
    return {};
  },
);

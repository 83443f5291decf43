/** Removes what a canceled check of a branding file had made, then gives the upload back. */

import { step } from '../../../platform/kernel/step.ts';
import { defineStep } from '../../../platform/steps/define-step.ts';
import { canceledFailure } from '../../../shared/jobs.ts';
import { type BrandingUploadInput, brandingServices, removeUpload } from '../actions/branding-uploads.ts';

export const settings = defineStep<BrandingUploadInput>({
  name: 'ClearBrandingUpload',
  description: 'Removes the files of a canceled check of a branding file',
  memory: 512,
  timeout: 300,
  permissions: {
    tables: { Core: ['batchGet', 'check', 'delete', 'get', 'put', 'query', 'update'] },
    admin: true,
    media: ['Read', 'Delete'],
  },
  starts: ['DeliverEvent'],
  event: {
    tenant: 'demo',
    type: 'branding_overlays',
    file_id: '019a9d2e-31aa-7d0e-9b0a-2f6f0d1c7e55',
    job_id: '019a9d2f-6f06-7b16-8c06-0c7b6a5d4e06',
  },
});

export const handler = step<BrandingUploadInput, object>(settings, async (input, { tenant, now }) => {
  const services = brandingServices(tenant, input.type);
  const { file_id, job_id } = input;
  await removeUpload(input, tenant, now(), services);
  await services.files.fail(file_id, job_id, canceledFailure, now());
  // A request that deleted the file and died leaves its jobs.
  if (await services.files.isGone(file_id)) await services.files.eraseJobs(file_id, now());
  await services.files.jobs.close(job_id);
  return {};
});

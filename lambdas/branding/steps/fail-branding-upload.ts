/** Removes a branding file that cannot be used, and records the reason in its job and in the overlay or clip. */

import { jobFailure } from '../../../platform/jobs/job-failure.ts';
import { Canceled, step } from '../../../platform/kernel/step.ts';
import { defineStep } from '../../../platform/steps/define-step.ts';
import { type BrandingUploadInput, brandingServices, removeUpload } from '../actions/branding-uploads.ts';

interface Failed extends BrandingUploadInput {
  /** `$states.errorOutput` of the state that failed. */
  readonly failure: { readonly Error?: string; readonly Cause?: string };
}

export const settings = defineStep<Failed>({
  name: 'FailBrandingUpload',
  description: 'Removes an unusable branding file, and records the reason in its job and in the file',
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
    failure: {
      Error: 'media_unreadable',
      Cause: '{"errorType":"media_unreadable","errorMessage":"The file is empty."}',
    },
  },
});

export const handler = step<Failed, object>(settings, async (input, { tenant, now }) => {
  const services = brandingServices(tenant, input.type);
  const { files } = services;
  const { file_id, job_id, failure } = input;
  const error = jobFailure(failure.Error ?? '', failure.Cause ?? '');
  await removeUpload(input, tenant, now(), services);
  await files.fail(input, error, now());
  // End the job last, so that a caller who waits for the job finds the final state of the file.
  if (!(await files.jobs.settle(file_id, job_id, now(), { status: 'failed', error }))) throw new Canceled();
  return {};
});

import { type FailedInput, failureOfState } from '../../../platform/jobs/job-failure.ts';
import { Canceled, step } from '../../../platform/kernel/step.ts';
import { publishingTable } from '../../../platform/runtime/publishing.ts';
import { defineStep, sampleUpload } from '../../../platform/steps/define-step.ts';
import { type BrandingUploadInput, brandingServices, removeUpload } from '../actions/branding-uploads.ts';

type Failed = BrandingUploadInput & FailedInput;

export const settings = defineStep<Failed>({
  name: 'FailBrandingUpload',
  description:
    'Removes a branding file that cannot be used, and records the reason in its job and in the overlay or clip',
  memory: 512,
  timeout: 300,
  permissions: {
    tables: { Core: ['batchGet', 'check', 'delete', 'get', 'put', 'query', 'update'] },
    media: ['Read', 'Delete'],
  },
  publishes: true,
  event: {
    ...sampleUpload,
    failure: {
      Error: 'media_unreadable',
      Cause: '{"errorType":"media_unreadable","errorMessage":"The file is empty."}',
    },
  },
});

export const handler = step<Failed, object>(settings, async (input, { tenant, now }) => {
  const services = brandingServices(tenant, input.type, publishingTable);
  const { files } = services;
  const { file_id, job_id } = input;
  const error = failureOfState(input.failure);
  await removeUpload(input, tenant, now(), services);
  await files.fail(input, error, now());
  // End the job last, so that a caller who waits for the job finds the final state of the file.
  if (!(await files.jobs.settle(file_id, job_id, { now: now(), end: { status: 'failed', error } })))
    throw new Canceled();
  return {};
});

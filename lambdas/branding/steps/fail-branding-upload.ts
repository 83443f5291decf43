/** Removes a file that cannot be used, and writes why where callers see it: onto the job and onto the overlay or clip. */
import { jobFailure } from '../../../platform/jobs/job-failure.ts';
import { Canceled, step } from '../../../platform/kernel/step.ts';
import { type BrandingUploadInput, brandingServices, removeUpload } from '../actions/branding-uploads.ts';

interface Failed extends BrandingUploadInput {
  /** `$states.errorOutput` of the state that failed. */
  readonly failure: { readonly Error?: string; readonly Cause?: string };
}

export const handler = step<Failed, object>('FailBrandingUpload', async (input, { tenant, now }) => {
  const services = brandingServices(tenant, input.type);
  const { files } = services;
  const { file_id, job_id, failure } = input;
  const error = jobFailure(failure.Error ?? '', failure.Cause ?? '');
  await removeUpload(input, tenant, now(), services);
  await files.fail(file_id, job_id, error, now());
  // The job last: whoever waits for it finds the file as it says.
  if (!(await files.jobs.settle(file_id, job_id, now(), { status: 'failed', error }))) throw new Canceled();
  return {};
});

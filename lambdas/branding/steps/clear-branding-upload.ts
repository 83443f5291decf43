/** Removes the files of a canceled check of a branding file. Then the caller may upload again. */
import { step } from '../../../platform/kernel/step.ts';
import { coreTable } from '../../../platform/runtime/dynamodb.ts';
import { defineStep, sampleUpload } from '../../../platform/steps/define-step.ts';
import { canceledFailure } from '../../../shared/jobs.ts';
import { noneFound } from '../../../shared/problems.ts';
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
  event: sampleUpload,
});

export const handler = step<BrandingUploadInput, object>(settings, async (input, { tenant, now }) => {
  const services = brandingServices(tenant, input.type, coreTable);
  const { file_id, job_id } = input;
  await removeUpload(input, tenant, now(), services);
  await services.files.fail(input, canceledFailure, now());
  // True if the file was deleted. If the deletion crashed, the jobs of the file still exist.
  const isGone = (await services.files.get(file_id).catch(noneFound)) === null;
  if (isGone) await services.files.eraseJobs(file_id, now());
  await services.files.jobs.close(job_id);
  return {};
});

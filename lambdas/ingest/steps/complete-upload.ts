/** Joins the uploaded parts into the asset's source object, and meters it. */

import { step } from '../../../platform/kernel/step.ts';
import { JobError } from '../../../platform/shared/job-errors.ts';
import { sourceKey } from '../../../platform/store/objects.ts';
import { type IngestInput, ingestServices, report } from '../actions/ingest.ts';

export const handler = step<IngestInput, object>('CompleteUpload', async (input, { tenant, now }) => {
  const { jobs, objects, usage } = ingestServices(tenant);
  const { asset_id, job_id } = input;
  const job = await jobs.get(asset_id, job_id);
  await jobs.begin(asset_id, job_id, now());
  await report(input, tenant, now(), 'upload', 0.02);
  const key = sourceKey(tenant, asset_id);
  await objects.completeUpload(key, job.upload_id, job.etags);
  const size = await objects.size(key);
  if (size === null) {
    throw new JobError(
      'media_unreadable',
      'The parts expired before they were joined. Upload the file again.',
    );
  }
  const at = job.created_at;
  await usage.record({ job_id, meter: 'uploads', quantity: 1, at });
  await usage.record({ job_id, meter: 'uploaded_bytes', quantity: size, at });
  await usage.recordStored(asset_id, job_id, size, now());
  return {};
});

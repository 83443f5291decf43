/** Joins the uploaded parts into the asset's source object. */
import { sourceKey } from '../data/objects.ts';
import { JobError } from '../domain/job-errors.ts';
import { step } from '../kernel/step.ts';
import { type IngestInput, ingestServices, report } from './ingest.ts';

export const handler = step<IngestInput, object>('CompleteUpload', async (input, { tenant, now }) => {
  const { jobs, objects } = ingestServices(tenant);
  const { asset_id, job_id } = input;
  const job = await jobs.get(asset_id, job_id);
  await jobs.begin(asset_id, job_id, now());
  await report(input, tenant, now(), 'upload', 0.02);
  const key = sourceKey(tenant, asset_id);
  const isJoined = await objects.completeUpload(key, job.upload_id, job.etags);
  const size = await objects.size(key);
  if (!isJoined && size === null) {
    throw new JobError(
      'media_unreadable',
      'The parts expired before they were joined. Upload the file again.',
    );
  }
  return {};
});

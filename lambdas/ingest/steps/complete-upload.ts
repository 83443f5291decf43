import { type AssetJobInput, TO_ITS_END } from '../../../platform/kernel/job-step.ts';
import { sourceKey } from '../../../platform/objects/media-objects.ts';
import { defineStep, sampleJob } from '../../../platform/steps/define-step.ts';
import { MEDIA_LIMITS } from '../../../shared/media.ts';
import { joinParts } from '../../uploads/actions/join-parts.ts';
import { ingestStep } from '../actions/ingest-step.ts';

export const settings = defineStep<AssetJobInput>({
  name: 'CompleteUpload',
  description: 'Joins the uploaded parts into the source of the asset, and meters the upload',
  memory: 512,
  timeout: 300,
  permissions: { tables: { Core: ['check', 'get', 'put', 'query', 'update'] }, media: ['Read', 'Upload'] },
  event: sampleJob,
});

export const handler = ingestStep<AssetJobInput, object>(
  settings,
  async (input, { tenant, jobs, objects, usage, now, job, signal, progress }) => {
    const { asset_id, job_id } = input;
    await jobs.begin(asset_id, job_id, now());
    await progress.report({ stage: 'upload', fraction: 0.5 });
    const key = sourceKey(tenant, asset_id);
    const { size } = await joinParts(key, job.own, objects, MEDIA_LIMITS);
    signal.throwIfAborted();
    const at = job.created_at;
    const used = { use_id: job_id, at, job_id, by: null };
    await usage.record({ ...used, meter: 'uploads', quantity: 1 });
    await usage.record({ ...used, meter: 'uploaded_bytes', quantity: size });
    await usage.recordStored(asset_id, job_id, { bytes: size, now: now() });
    return {};
  },
  { patienceMs: TO_ITS_END },
);

import { type FailedInput, failureOfState } from '../../../platform/jobs/job-failure.ts';
import type { AssetJobInput } from '../../../platform/kernel/job-step.ts';
import { Canceled } from '../../../platform/kernel/step.ts';
import { publishingTable } from '../../../platform/runtime/publishing.ts';
import { defineStep, sampleJob } from '../../../platform/steps/define-step.ts';
import { failClipWrites, removeMaterials } from '../../clips/actions/settle-clips.ts';
import { clipOfExport } from '../actions/export-clip.ts';
import { exportEndStep, snapshotKey } from '../actions/export-step.ts';
import { abandonUpload } from '../actions/open-storage.ts';

type Failed = AssetJobInput & FailedInput;

export const settings = defineStep<Failed>({
  name: 'FailExport',
  description: 'Records why an export failed, and removes its unfinished upload',
  memory: 512,
  timeout: 60,
  permissions: {
    tables: { Core: ['delete', 'get', 'put', 'query', 'update'] },
    media: ['Delete'],
    engines: { secrets: ['unwrap'], exporting: ['abandon'] },
  },
  publishes: true,
  event: {
    ...sampleJob,
    failure: {
      Error: 'storage_not_found',
      Cause:
        '{"errorType":"storage_not_found","errorMessage":"There is no bucket example-archive: check bucket_name."}',
    },
  },
});

export const handler = exportEndStep<Failed, object>(settings, publishingTable, async (input, services) => {
  const { asset_id, job_id } = input;
  const { jobs, tenant, table, objects, now } = services;
  const error = failureOfState(input.failure);
  const job = await jobs.find(asset_id, job_id);
  await abandonUpload(job, tenant, table);
  await objects.delete(snapshotKey(tenant, input));
  const ids = clipOfExport(job);
  const failed = async () => (ids ? failClipWrites([ids], { job_id, error, now: now() }, services) : []);
  if (
    !(await jobs.settle(asset_id, job_id, {
      now: now(),
      end: { status: 'failed', error },
      alongside: failed,
    }))
  )
    throw new Canceled();
  if (ids) await removeMaterials(ids, services);
  return {};
});

/** Records why an export failed, and removes its unfinished upload. */

import { type FailedInput, jobFailure } from '../../../platform/jobs/job-failure.ts';
import { Canceled, step } from '../../../platform/kernel/step.ts';
import { publishingTable } from '../../../platform/runtime/publishing.ts';
import { mediaObjects } from '../../../platform/runtime/s3.ts';
import { defineStep, sampleJob } from '../../../platform/steps/define-step.ts';
import { clipServices } from '../../clips/actions/clip-step.ts';
import { failClipWrites, removeMaterials } from '../../clips/actions/settle-clips.ts';
import { clipOfExport } from '../actions/export-clip.ts';
import { type ExportInput, exportJobs, snapshotKey } from '../actions/export-step.ts';
import { abandonUpload } from '../actions/open-storage.ts';

type Failed = ExportInput & FailedInput;

export const settings = defineStep<Failed>({
  name: 'FailExport',
  description: 'Records in its job why an export failed, and removes the unfinished upload',
  memory: 512,
  timeout: 60,
  permissions: {
    tables: { Core: ['delete', 'get', 'put', 'query', 'update'] },
    admin: true,
    media: ['Delete'],
    engines: { secrets: ['unwrap'], exporting: ['abandon'] },
  },
  starts: ['DeliverEvent'],
  event: {
    ...sampleJob,
    failure: {
      Error: 'storage_not_found',
      Cause:
        '{"errorType":"storage_not_found","errorMessage":"There is no bucket example-archive: check bucket_name."}',
    },
  },
});

export const handler = step<Failed, object>(settings, async (input, { tenant, now }) => {
  const { asset_id, job_id, failure } = input;
  const table = publishingTable(tenant);
  const jobs = exportJobs(tenant, table);
  const error = jobFailure(failure.Error, failure.Cause);
  const job = await jobs.find(asset_id, job_id);
  await abandonUpload(job, tenant, table);
  await mediaObjects(tenant).delete(snapshotKey(tenant, input));
  const ids = clipOfExport(job);
  const services = clipServices(tenant, table);
  const failed = async () => (ids ? failClipWrites([ids], { job_id, error, now: now() }, services) : []);
  if (!(await jobs.settle(asset_id, job_id, now(), { status: 'failed', error }, failed)))
    throw new Canceled();
  if (ids) await removeMaterials(ids, services);
  return {};
});

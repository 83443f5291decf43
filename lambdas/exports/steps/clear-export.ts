/** Removes what a canceled export had begun. A file that the storage has whole by then stays there. */
import { step } from '../../../platform/kernel/step.ts';
import { publishingTable } from '../../../platform/runtime/publishing.ts';
import { mediaObjects } from '../../../platform/runtime/s3.ts';
import { type ExportInput, exportJobs, snapshotKey } from '../actions/job.ts';
import { abandoned } from '../actions/write.ts';

export const handler = step<ExportInput, object>('ClearExport', async (input, { tenant }) => {
  const { asset_id, job_id } = input;
  const table = publishingTable(tenant);
  const jobs = exportJobs(tenant, table);
  await abandoned(await jobs.find(asset_id, job_id), tenant, table);
  await mediaObjects(tenant).delete(snapshotKey(tenant, input));
  await jobs.closed(job_id);
  return {};
});

/** Makes the file of an export once, so that every attempt to write it writes the same bytes. */
import { whenDeleted } from '../../../platform/kernel/step.ts';
import { coreTable } from '../../../platform/runtime/dynamodb.ts';
import { mediaObjects } from '../../../platform/runtime/s3.ts';
import { exportJobs, exportStep, snapshotKey } from '../actions/job.ts';
import { rendered } from '../actions/render.ts';
import { contentTypeOf } from '../rules/jobs.ts';

export const handler = exportStep<object>('RenderExport', async (input, { tenant, now, job }) => {
  const objects = mediaObjects(tenant);
  await exportJobs(tenant).begin(input.asset_id, input.job_id, now());
  const key = snapshotKey(tenant, input);
  if ((await objects.size(key)) !== null) return {};
  const file = await rendered(job, { table: coreTable(tenant), objects, tenant }).catch(whenDeleted);
  await objects.write(key, file, contentTypeOf(job));
  return {};
});

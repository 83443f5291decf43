/**
 * Removes the unfinished results of a canceled export. Also fails an export whose subject was deleted. A file that the
 * storage already has completely stays there.
 */

import { step } from '../../../platform/kernel/step.ts';
import { publishingTable } from '../../../platform/runtime/publishing.ts';
import { mediaObjects } from '../../../platform/runtime/s3.ts';
import { defineStep, sampleJob } from '../../../platform/steps/define-step.ts';
import { canceledFailure } from '../../../shared/jobs.ts';
import { removeMediaIfDeleted } from '../../assets/records/remove-deleted-media.ts';
import { clipServices } from '../../clips/actions/clip-step.ts';
import { releaseClip } from '../../clips/actions/settle-clips.ts';
import { clipOfExport } from '../actions/export-clip.ts';
import { type ExportInput, exportJobs, snapshotKey } from '../actions/export-step.ts';
import { abandonUpload } from '../actions/open-storage.ts';

export const settings = defineStep<ExportInput>({
  name: 'ClearExport',
  description: 'Removes the unfinished upload of a canceled export',
  memory: 512,
  timeout: 300,
  permissions: {
    tables: { Core: ['delete', 'get', 'put', 'query', 'update'] },
    admin: true,
    media: ['Read', 'Delete'],
    engines: { secrets: ['unwrap'], exporting: ['abandon'] },
  },
  starts: ['DeliverEvent'],
  event: sampleJob,
});

export const handler = step<ExportInput, object>(settings, async (input, { tenant, now }) => {
  const { asset_id, job_id } = input;
  const table = publishingTable(tenant);
  const jobs = exportJobs(tenant, table);
  const job = await jobs.find(asset_id, job_id);
  await abandonUpload(job, tenant, table);
  const ids = clipOfExport(job);
  if (ids) await releaseClip(ids, job_id, clipServices(tenant, table));
  const objects = mediaObjects(tenant);
  await objects.delete(snapshotKey(tenant, input));
  await removeMediaIfDeleted(asset_id, tenant, table, objects);
  if (!(await jobs.settle(asset_id, job_id, now(), { status: 'failed', error: gone })))
    await jobs.close(job_id);
  return {};
});

/**
 * The job itself was not canceled: its asset was deleted, or the cancellation of the ingest removed the transcriptions.
 */
const gone = {
  ...canceledFailure,
  detail: 'The exported resource was deleted before its file was written.',
  retryable: false,
};

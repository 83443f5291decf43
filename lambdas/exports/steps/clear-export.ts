/**
 * Removes the unfinished results of a canceled export. If the exported transcription or asset was deleted, fails the
 * export. A complete file in the storage stays there.
 */
import type { AssetJobInput } from '../../../platform/kernel/job-step.ts';
import { publishingTable } from '../../../platform/runtime/publishing.ts';
import { defineStep, sampleJob } from '../../../platform/steps/define-step.ts';
import { canceledFailure } from '../../../shared/jobs.ts';
import { removeMediaIfDeleted } from '../../assets/records/remove-deleted-media.ts';
import { releaseClip } from '../../clips/actions/settle-clips.ts';
import { clipOfExport } from '../actions/export-clip.ts';
import { exportEndStep, snapshotKey } from '../actions/export-step.ts';
import { abandonUpload } from '../actions/open-storage.ts';

export const settings = defineStep<AssetJobInput>({
  name: 'ClearExport',
  description: 'Removes the unfinished upload of a canceled export',
  memory: 512,
  timeout: 300,
  permissions: {
    tables: { Core: ['delete', 'get', 'put', 'query', 'update'] },
    media: ['Read', 'Delete'],
    engines: { secrets: ['unwrap'], exporting: ['abandon'] },
  },
  publishes: true,
  event: sampleJob,
});

export const handler = exportEndStep<AssetJobInput, object>(
  settings,
  publishingTable,
  async (input, services) => {
    const { asset_id, job_id } = input;
    const { jobs, tenant, table, objects, now } = services;
    const job = await jobs.find(asset_id, job_id);
    await abandonUpload(job, tenant, table);
    const ids = clipOfExport(job);
    if (ids) await releaseClip(ids, job_id, services);
    await objects.delete(snapshotKey(tenant, input));
    await removeMediaIfDeleted(asset_id, services);
    if (
      !(await jobs.settle(asset_id, job_id, { now: now(), end: { status: 'failed', error: sourceDeleted } }))
    )
      await jobs.close(job_id);
    return {};
  },
);

/** The error of a job whose asset was deleted, or whose transcription was removed by a canceled ingest. */
const sourceDeleted = {
  ...canceledFailure,
  detail: 'The exported resource was deleted before its file was written.',
  retryable: false,
};

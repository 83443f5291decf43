/**
 * Removes the files of a canceled clip job. The clips keep their earlier state. If the asset was deleted, also removes
 * objects that a step wrote for it meanwhile.
 */

import { step } from '../../../platform/kernel/step.ts';
import { publishingTable } from '../../../platform/runtime/publishing.ts';
import { defineStep, sampleJob } from '../../../platform/steps/define-step.ts';
import { removeMediaIfDeleted } from '../../assets/records/remove-deleted-media.ts';
import { type ClipsInput, clipServices, clipsJobs } from '../actions/clip-step.ts';
import { releaseClip } from '../actions/settle-clips.ts';

export const settings = defineStep<ClipsInput>({
  name: 'ClearClips',
  description: 'Removes the files of a canceled clip job',
  memory: 512,
  timeout: 300,
  permissions: {
    tables: { Core: ['delete', 'get', 'put', 'query', 'update'] },
    admin: true,
    media: ['Read', 'Delete'],
  },
  starts: ['DeliverEvent'],
  event: { ...sampleJob, kind: 'clips' },
});

export const handler = step<ClipsInput, object>(settings, async ({ asset_id, job_id }, { tenant }) => {
  const table = publishingTable(tenant);
  const services = clipServices(tenant, table);
  const jobs = clipsJobs(tenant, table);
  const job = await jobs.find(asset_id, job_id);
  for (const video_clip_id of job?.own.video_clip_ids ?? [])
    await releaseClip({ asset_id, video_clip_id }, job_id, services);
  await removeMediaIfDeleted(asset_id, tenant, table, services.objects);
  await jobs.close(job_id);
  return {};
});

/** Removes the files of a canceled clip job, and objects that a step wrote after the deletion of the asset. */
import { coreTable } from '../../../platform/runtime/dynamodb.ts';
import { defineStep, sampleJob } from '../../../platform/steps/define-step.ts';
import { removeMediaIfDeleted } from '../../assets/records/remove-deleted-media.ts';
import { type ClipsInput, clipEndStep } from '../actions/clip-step.ts';
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
  event: { ...sampleJob, kind: 'clips' },
});

export const handler = clipEndStep<ClipsInput, object>(
  settings,
  coreTable,
  async ({ asset_id, job_id }, services) => {
    const { jobs } = services;
    const job = await jobs.find(asset_id, job_id);
    for (const video_clip_id of job?.own.video_clip_ids ?? [])
      await releaseClip({ asset_id, video_clip_id }, job_id, services);
    await removeMediaIfDeleted(asset_id, services);
    await jobs.close(job_id);
    return {};
  },
);

import { type FailedInput, failedItems, failureOfState } from '../../../platform/jobs/job-failure.ts';
import { Canceled } from '../../../platform/kernel/step.ts';
import { publishingTable } from '../../../platform/runtime/publishing.ts';
import { defineStep, sampleJob } from '../../../platform/steps/define-step.ts';
import { type ClipsInput, clipEndStep } from '../actions/clip-step.ts';
import { failClipWrites, removeMaterials } from '../actions/settle-clips.ts';

type Failed = ClipsInput & FailedInput;

export const settings = defineStep<Failed>({
  name: 'FailClips',
  description: 'Records why a whole clip job failed',
  memory: 512,
  timeout: 300,
  permissions: { tables: { Core: ['delete', 'get', 'put', 'query', 'update'] }, media: ['Delete'] },
  publishes: true,
  event: { ...sampleJob, kind: 'clips', failure: { Error: 'States.Timeout', Cause: '' } },
});

export const handler = clipEndStep<Failed, object>(settings, publishingTable, async (input, services) => {
  const { asset_id, job_id } = input;
  const { jobs, now } = services;
  const error = failureOfState(input.failure);
  const job = await jobs.find(asset_id, job_id);
  const items = failedItems(job?.items ?? [], error);
  const all = items.map(({ video_clip_id }) => ({ asset_id, video_clip_id }));
  const failed = () => failClipWrites(all, { job_id, error, now: now() }, services);
  if (
    !(await jobs.settle(asset_id, job_id, {
      now: now(),
      end: { status: 'failed', error, items },
      alongside: failed,
    }))
  )
    throw new Canceled();
  for (const ids of all) await removeMaterials(ids, services);
  return {};
});

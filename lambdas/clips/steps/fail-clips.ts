/** Records why a whole clip job failed. A clip that fails alone does not lead here. */

import { type FailedInput, jobFailure } from '../../../platform/jobs/job-failure.ts';
import { Canceled, step } from '../../../platform/kernel/step.ts';
import { publishingTable } from '../../../platform/runtime/publishing.ts';
import { defineStep, sampleJob } from '../../../platform/steps/define-step.ts';
import { isTerminal } from '../../../shared/jobs.ts';
import { type ClipsInput, clipServices, clipsJobs } from '../actions/clip-step.ts';
import { failClipWrites, removeMaterials } from '../actions/settle-clips.ts';

type Failed = ClipsInput & FailedInput;

export const settings = defineStep<Failed>({
  name: 'FailClips',
  description: 'Records why a whole clip job failed',
  memory: 512,
  timeout: 300,
  permissions: {
    tables: { Core: ['delete', 'get', 'put', 'query', 'update'] },
    admin: true,
    media: ['Delete'],
  },
  starts: ['DeliverEvent'],
  event: { ...sampleJob, kind: 'clips', failure: { Error: 'States.Timeout', Cause: '' } },
});

export const handler = step<Failed, object>(settings, async (input, { tenant, now }) => {
  const { asset_id, job_id, failure } = input;
  const table = publishingTable(tenant);
  const jobs = clipsJobs(tenant, table);
  const services = clipServices(tenant, table);
  const error = jobFailure(failure.Error, failure.Cause);
  const job = await jobs.find(asset_id, job_id);
  const items = (job?.items ?? []).map((item) =>
    isTerminal(item.status) ? item : { ...item, status: 'failed' as const, error },
  );
  const all = items.map(({ video_clip_id }) => ({ asset_id, video_clip_id }));
  const failed = () => failClipWrites(all, { job_id, error, now: now() }, services);
  if (!(await jobs.settle(asset_id, job_id, now(), { status: 'failed', error, items }, failed)))
    throw new Canceled();
  for (const ids of all) await removeMaterials(ids, services);
  return {};
});

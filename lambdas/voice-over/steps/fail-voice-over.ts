import { type FailedInput, failedItems, failureOfState } from '../../../platform/jobs/job-failure.ts';
import { Canceled } from '../../../platform/kernel/step.ts';
import { publishingTable } from '../../../platform/runtime/publishing.ts';
import { defineStep, sampleJob } from '../../../platform/steps/define-step.ts';
import { discardAll } from '../actions/clone-voices.ts';
import { type VoiceOverInput, voiceOverEndStep } from '../actions/voice-over-step.ts';

type Failed = VoiceOverInput & FailedInput;

export const settings = defineStep<Failed>({
  name: 'FailVoiceOver',
  description: 'Records why a whole voice over job failed, and removes its files',
  memory: 512,
  timeout: 300,
  permissions: {
    tables: { Core: ['delete', 'get', 'put', 'query', 'update'] },
    media: ['Read', 'Delete'],
    engines: { voice_cloning: ['discard'] },
  },
  publishes: true,
  event: { ...sampleJob, kind: 'voice_over', failure: { Error: 'States.Timeout', Cause: '' } },
});

export const handler = voiceOverEndStep<Failed, object>(
  settings,
  publishingTable,
  async (input, { jobs, files, now }) => {
    const { asset_id, job_id } = input;
    const error = failureOfState(input.failure);
    const job = await jobs.find(asset_id, job_id);
    const items = failedItems(job?.items ?? [], error);
    if (job?.own.config.clone_voice) await discardAll(job, files);
    if (!(await jobs.settle(asset_id, job_id, { now: now(), end: { status: 'failed', error, items } })))
      throw new Canceled();
    // The steps may run again until the job has ended, so its files are removed last. Stored speech stays for the next
    // job.
    if ((await jobs.find(asset_id, job_id))?.status === 'failed') await files.removeJob(input);
    return {};
  },
);

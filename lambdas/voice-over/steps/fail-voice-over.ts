/** Ends a voice over job that failed as a whole, and records the reason. A failure of one language does not come here. */

import { type FailedInput, jobFailure } from '../../../platform/jobs/job-failure.ts';
import { Canceled, step } from '../../../platform/kernel/step.ts';
import { publishingTable } from '../../../platform/runtime/publishing.ts';
import { defineStep, sampleJob } from '../../../platform/steps/define-step.ts';
import { isTerminal } from '../../../shared/jobs.ts';
import { discardAll } from '../actions/clone-voices.ts';
import { dubFiles, type VoiceOverInput, voiceOverJobs } from '../actions/voice-over-step.ts';

type Failed = VoiceOverInput & FailedInput;

export const settings = defineStep<Failed>({
  name: 'FailVoiceOver',
  description: 'Records why a whole voice over job failed, and removes its files',
  memory: 512,
  timeout: 300,
  permissions: {
    tables: { Core: ['delete', 'get', 'put', 'query', 'update'] },
    admin: true,
    media: ['Read', 'Delete'],
    engines: { voice_cloning: ['discard'] },
  },
  starts: ['DeliverEvent'],
  event: { ...sampleJob, kind: 'voice_over', failure: { Error: 'States.Timeout', Cause: '' } },
});

export const handler = step<Failed, object>(settings, async (input, { tenant, now }) => {
  const { asset_id, job_id, failure } = input;
  const jobs = voiceOverJobs(tenant, publishingTable(tenant));
  const error = jobFailure(failure.Error, failure.Cause);
  const job = await jobs.find(asset_id, job_id);
  const items = (job?.items ?? []).map((item) =>
    isTerminal(item.status) ? item : { ...item, status: 'failed' as const, error },
  );
  const files = dubFiles(tenant);
  if (job?.own.config.clone_voice) await discardAll(job, files);
  if (!(await jobs.settle(asset_id, job_id, now(), { status: 'failed', error, items }))) throw new Canceled();
  // The steps may run again until the job has ended, so its files are removed last. Stored speech stays for the next
  // job.
  if ((await jobs.find(asset_id, job_id))?.status === 'failed') await files.removeJob({ asset_id, job_id });
  return {};
});

import type { FailedInput } from '../../../platform/jobs/job-failure.ts';
import { publishingTable } from '../../../platform/runtime/publishing.ts';
import { defineStep, sampleJob } from '../../../platform/steps/define-step.ts';
import { endJob, findOutcomes } from '../actions/end-job.ts';
import { answersPrefix } from '../actions/translate-transcription.ts';
import { type TranslationInput, translationEndStep } from '../actions/translation-services.ts';

type Failed = TranslationInput & FailedInput;

export const settings = defineStep<Failed>({
  name: 'FailTranslation',
  description: 'Records why a whole translation job failed',
  memory: 256,
  timeout: 60,
  permissions: { tables: { Core: ['delete', 'get', 'put', 'query', 'update'] }, media: ['Delete'] },
  publishes: true,
  event: { ...sampleJob, kind: 'translation', failure: { Error: 'States.Timeout', Cause: '' } },
});

export const handler = translationEndStep<Failed, object>(
  settings,
  publishingTable,
  async (input, services) => {
    const { asset_id, job_id, failure } = input;
    const job = await services.jobs.find(asset_id, job_id);
    if (job === null) return {};
    await endJob(input, await findOutcomes(job, failure, services), services);
    await services.objects.deleteAll(answersPrefix(services.tenant, asset_id, job_id));
    return {};
  },
);

import { TO_ITS_END } from '../../../platform/kernel/job-step.ts';
import { publishingTable } from '../../../platform/runtime/publishing.ts';
import { defineStep, sampleJob } from '../../../platform/steps/define-step.ts';
import { endJob, withTranslations } from '../actions/end-job.ts';
import { answersPrefix } from '../actions/translate-transcription.ts';
import { type LanguageEnd, type TranslationInput, translationStep } from '../actions/translation-services.ts';

interface FinishInput extends TranslationInput {
  readonly ends: readonly LanguageEnd[];
}

export const settings = defineStep<FinishInput>({
  name: 'FinishTranslation',
  description: 'Ends a translation job with the results of its languages',
  memory: 256,
  timeout: 60,
  permissions: { tables: { Core: ['delete', 'get', 'put', 'query', 'update'] }, media: ['Delete'] },
  publishes: true,
  event: {
    ...sampleJob,
    kind: 'translation',
    ends: [
      {
        language_id: '1b9c6d27-9a4f-5e0b-8a64-0c5d2f1e7a90',
        transcription_id: '019a9d2d-5a10-7d0a-8f53-7c3f0b9e6f11',
        version: 1,
        characters: 512,
      },
    ],
  },
});

export const handler = translationStep<FinishInput, object>(
  settings,
  async (input, services) => {
    await endJob(input, await withTranslations(input, input.ends, services), services);
    // Languages that failed can have left answers.
    await services.objects.deleteAll(answersPrefix(services.tenant, input.asset_id, input.job_id));
    return {};
  },
  { tableOf: publishingTable, patienceMs: TO_ITS_END },
);

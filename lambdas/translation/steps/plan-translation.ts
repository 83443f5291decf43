/** Marks a translation job as running, and returns its languages. */
import { defineStep, sampleJob } from '../../../platform/steps/define-step.ts';
import { type TranslationInput, translationJobs, translationStep } from '../actions/translation-step.ts';
import { LANGUAGE_SIZE } from '../rules/translation-job.ts';

interface Planned {
  readonly languages: readonly { readonly index: number; readonly language_id: string }[];
}

export const settings = defineStep<TranslationInput>({
  name: 'PlanTranslation',
  description: 'Marks a translation job as running, and lists its languages',
  memory: 256,
  timeout: 60,
  permissions: { tables: { Core: ['get', 'update'] } },
  event: { ...sampleJob, kind: 'translation' },
});

export const handler = translationStep<TranslationInput, Planned>(
  settings,
  async ({ asset_id, job_id, kind }, { tenant, now, job }) => {
    const jobs = translationJobs(tenant, kind);
    await jobs.begin(asset_id, job_id, now());
    await jobs.planParts(
      asset_id,
      job_id,
      job.own.language_ids.map(() => LANGUAGE_SIZE),
    );
    return { languages: job.own.language_ids.map((language_id, index) => ({ index, language_id })) };
  },
);

import { planStep } from '../../../platform/kernel/job-step.ts';
import { defineStep, sampleJob } from '../../../platform/steps/define-step.ts';
import type { TranslationInput } from '../actions/translation-services.ts';
import { LANGUAGE_SIZE, type TranslationOwn } from '../rules/translation-job.ts';

interface Planned {
  readonly languages: readonly { readonly index: number; readonly language_id: string }[];
}

export const settings = defineStep<TranslationInput>({
  name: 'PlanTranslation',
  description: 'Marks a translation job as running, and returns its languages',
  memory: 256,
  timeout: 60,
  permissions: { tables: { Core: ['get', 'update'] } },
  event: { ...sampleJob, kind: 'translation' },
});

export const handler = planStep<TranslationOwn, Planned>(settings, 'translation', {
  size: LANGUAGE_SIZE,
  idsOf: ({ language_ids }) => language_ids,
  list: (ids) => ({ languages: ids.map((language_id, index) => ({ index, language_id })) }),
});

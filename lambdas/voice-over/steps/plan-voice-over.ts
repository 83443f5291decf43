import { planStep } from '../../../platform/kernel/job-step.ts';
import { defineStep, sampleJob } from '../../../platform/steps/define-step.ts';
import type { DubInput, VoiceOverInput } from '../actions/voice-over-step.ts';
import { LANGUAGE_SIZE } from '../rules/progress-parts.ts';
import type { VoiceOverOwn } from '../rules/voice-over-job.ts';

interface Planned {
  readonly languages: readonly Pick<DubInput, 'index' | 'languages' | 'language_id'>[];
}

export const settings = defineStep<VoiceOverInput>({
  name: 'PlanVoiceOver',
  description: 'Marks a voice over job as running, and returns its languages',
  memory: 256,
  timeout: 60,
  permissions: { tables: { Core: ['get', 'update'] } },
  event: { ...sampleJob, kind: 'voice_over' },
});

export const handler = planStep<VoiceOverOwn, Planned>(settings, 'voice_over', {
  size: LANGUAGE_SIZE,
  idsOf: ({ language_ids }) => language_ids,
  list: (ids) => ({
    languages: ids.map((language_id, index) => ({ index, languages: ids.length, language_id })),
  }),
});

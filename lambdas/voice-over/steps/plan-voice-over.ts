/** Marks a voice over job as running, and returns its languages. */
import { defineStep, sampleJob } from '../../../platform/steps/define-step.ts';
import {
  type DubInput,
  type VoiceOverInput,
  voiceOverJobs,
  voiceOverStep,
} from '../actions/voice-over-step.ts';
import { LANGUAGE_SIZE } from '../rules/progress-parts.ts';

interface Planned {
  readonly languages: readonly Pick<DubInput, 'index' | 'languages' | 'language_id'>[];
}

export const settings = defineStep<VoiceOverInput>({
  name: 'PlanVoiceOver',
  description: 'Marks a voice over job as running, and lists its languages',
  memory: 256,
  timeout: 60,
  permissions: { tables: { Core: ['get', 'update'] } },
  event: { ...sampleJob, kind: 'voice_over' },
});

export const handler = voiceOverStep<VoiceOverInput, Planned>(
  settings,
  async ({ asset_id, job_id }, { tenant, now, job }) => {
    const jobs = voiceOverJobs(tenant);
    const { language_ids } = job.own;
    await jobs.begin(asset_id, job_id, now());
    await jobs.planParts(
      asset_id,
      job_id,
      language_ids.map(() => LANGUAGE_SIZE),
    );
    const languages = language_ids.length;
    return { languages: language_ids.map((language_id, index) => ({ index, languages, language_id })) };
  },
);

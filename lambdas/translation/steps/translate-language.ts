import { withProgress } from '../../../platform/jobs/throttle-writes.ts';
import { whenDeleted } from '../../../platform/kernel/step.ts';
import { defineStep, sampleJob } from '../../../platform/steps/define-step.ts';
import { translateInto } from '../actions/translate-transcription.ts';
import { type LanguageEnd, type TranslationInput, translationStep } from '../actions/translation-services.ts';
import { LANGUAGE_SIZE } from '../rules/translation-job.ts';

interface LanguageInput extends TranslationInput {
  readonly index: number;
  readonly language_id: string;
}

/** The progress of the job after all languages. The end of the job adds the rest. */
const SHARE_OF_LANGUAGES = 0.98;

export const settings = defineStep<LanguageInput>({
  name: 'TranslateLanguage',
  description: 'Translates an asset into one language of a job',
  memory: 1769,
  timeout: 900,
  permissions: {
    tables: { Core: ['batchGet', 'check', 'delete', 'get', 'put', 'query', 'update'] },
    media: ['Read', 'Write', 'Delete'],
    engines: { translation: ['translate'] },
  },
  event: { ...sampleJob, kind: 'translation', index: 0, language_id: '1b9c6d27-9a4f-5e0b-8a64-0c5d2f1e7a90' },
});

export const handler = translationStep<LanguageInput, LanguageEnd>(settings, async (input, context) => {
  const { asset_id, job_id, index, language_id } = input;
  const { assets, jobs, job } = context;
  const { template_id } = await assets.get(asset_id).catch(whenDeleted);
  const part = { index, size: LANGUAGE_SIZE };
  const write = async (fraction: number, isDone: boolean) => {
    if (!isDone) await jobs.advanceItem(asset_id, job_id, index, fraction);
    const { share } = isDone
      ? await jobs.completePart(asset_id, job_id, part)
      : await jobs.advancePart(asset_id, job_id, { part, fraction });
    await jobs.advance(asset_id, job_id, share * SHARE_OF_LANGUAGES);
  };
  return withProgress(write, async (tell) => {
    tell(0);
    const { segment_ids, held } = job.own;
    const { created_at } = job;
    const what = { asset_id, template_id, language_id, segment_ids, held: held?.[language_id] };
    const working = { ...context, onProgress: tell };
    const made = await translateInto({ job_id, created_at, ...what }, working, context);
    return { language_id, ...made };
  });
});

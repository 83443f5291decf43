import type { AssetJobInput } from '../../../platform/kernel/job-step.ts';
import { whenDeleted } from '../../../platform/kernel/step.ts';
import { defineStep, sampleJob } from '../../../platform/steps/define-step.ts';
import { translateInto } from '../../translation/actions/translate-transcription.ts';
import type { LanguageEnd } from '../../translation/actions/translation-services.ts';
import { ingestStep } from '../actions/ingest-step.ts';

interface TranslateInput extends AssetJobInput {
  readonly language_id: string;
  readonly languages: number;
}

export const settings = defineStep<TranslateInput>({
  name: 'TranslateIngest',
  description: 'Translates the transcription into one of the languages of the template',
  memory: 1769,
  timeout: 900,
  permissions: {
    tables: { Core: ['batchGet', 'check', 'delete', 'get', 'put', 'query', 'update'] },
    media: ['Read', 'Write', 'Delete'],
    engines: { translation: ['translate'] },
  },
  event: { ...sampleJob, language_id: '1b9c6d27-9a4f-5e0b-8a64-0c5d2f1e7a90', languages: 1 },
});

export const handler = ingestStep<TranslateInput, LanguageEnd>(settings, async (input, context) => {
  const { asset_id, job_id, language_id, languages } = input;
  const { assets, job, progress } = context;
  const { template_id } = await assets.get(asset_id).catch(whenDeleted);
  const { transcription_id } = job.own;
  const what = { asset_id, template_id, language_id, segment_ids: null, transcription_id };
  const wanted = { job_id, created_at: job.created_at, ...what };
  const onProgress = (fraction: number) => progress.stage('translation', fraction / languages);
  const made = await translateInto(wanted, { ...context, onProgress }, context);
  return { language_id, ...made };
});

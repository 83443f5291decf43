import { coreTable } from '../../../platform/runtime/dynamodb.ts';
import { defineStep, sampleJob } from '../../../platform/steps/define-step.ts';
import { removeMediaIfDeleted } from '../../assets/records/remove-deleted-media.ts';
import { answersPrefix, takeBack } from '../actions/translate-transcription.ts';
import { type TranslationInput, translationEndStep } from '../actions/translation-services.ts';

export const settings = defineStep<TranslationInput>({
  name: 'ClearTranslation',
  description: 'Removes the results of a canceled translation job',
  memory: 512,
  timeout: 300,
  permissions: {
    tables: { Core: ['check', 'delete', 'get', 'put', 'query', 'update'] },
    admin: true,
    media: ['Read', 'Write', 'Delete'],
  },
  event: { ...sampleJob, kind: 'translation' },
});

export const handler = translationEndStep<TranslationInput, object>(
  settings,
  coreTable,
  async ({ asset_id, job_id }, services) => {
    const { tenant, objects, transcriptions, jobs } = services;
    await objects.deleteAll(answersPrefix(tenant, asset_id, job_id));
    await takeBack(job_id, asset_id, services, transcriptions);
    await removeMediaIfDeleted(asset_id, services);
    await jobs.close(job_id);
    return {};
  },
);

/** Translates an asset into one language of a job. */

import { throttled } from '../../../platform/jobs/throttle-writes.ts';
import { whenDeleted } from '../../../platform/kernel/step.ts';
import { coreTable } from '../../../platform/runtime/dynamodb.ts';
import { mediaObjects } from '../../../platform/runtime/s3.ts';
import { translation } from '../../../platform/runtime/translation.ts';
import { defineStep, sampleJob } from '../../../platform/steps/define-step.ts';
import { Assets } from '../../assets/records/assets.ts';
import { Transcriptions } from '../../transcripts/lineage/records/transcriptions.ts';
import { translateInto } from '../actions/translate-transcription.ts';
import {
  type LanguageEnd,
  type TranslationInput,
  translationJobs,
  translationStep,
} from '../actions/translation-step.ts';
import { LANGUAGE_SIZE } from '../rules/translation-job.ts';

interface LanguageInput extends TranslationInput {
  /** Index of the language among the items of the job. */
  readonly index: number;
  readonly language_id: string;
}

/** The shortest time between two writes of the progress, ms. */
const REST_MS = 2500;
/** The share of the progress that the languages make. The end of the whole job makes the rest. */
const SHARE_OF_LANGUAGES = 0.98;

export const settings = defineStep<LanguageInput>({
  name: 'TranslateLanguage',
  description: 'Translates an asset into one language',
  memory: 1769,
  timeout: 900,
  permissions: {
    tables: { Core: ['batchGet', 'check', 'delete', 'get', 'put', 'query', 'update'] },
    media: ['Read', 'Write', 'Delete'],
    engines: { translation: ['translate'] },
  },
  event: { ...sampleJob, kind: 'translation', index: 0, language_id: '1b9c6d27-9a4f-5e0b-8a64-0c5d2f1e7a90' },
});

export const handler = translationStep<LanguageInput, LanguageEnd>(
  settings,
  async (input, { tenant, now, newId, signal, job }) => {
    const { asset_id, job_id, kind, index, language_id } = input;
    const table = coreTable(tenant);
    const objects = mediaObjects(tenant);
    const transcriptions = new Transcriptions(table, objects, tenant);
    const jobs = translationJobs(tenant, kind);
    const { template_id } = await new Assets(table, tenant).get(asset_id).catch(whenDeleted);
    const part = { index, size: LANGUAGE_SIZE };
    const telling = throttled(async (fraction: number) => {
      await jobs.advanceItem(asset_id, job_id, index, fraction);
      const { share } = await jobs.advancePart(asset_id, job_id, part, fraction);
      await jobs.advance(asset_id, job_id, share * SHARE_OF_LANGUAGES);
    }, REST_MS);
    try {
      telling.tell(0);
      const { segment_ids, held } = job.own;
      const { created_at } = job;
      const wanted = {
        job_id,
        created_at,
        asset_id,
        template_id,
        language_id,
        segment_ids,
        held: held?.[language_id],
      };
      const onProgress = (fraction: number) => telling.tell(fraction);
      const working = { now, newId, signal, onProgress };
      const services = { tenant, table, transcriptions, objects, engine: translation };
      const made = await translateInto(wanted, working, services);
      const { share } = await jobs.completePart(asset_id, job_id, part);
      await jobs.advance(asset_id, job_id, share * SHARE_OF_LANGUAGES);
      return { language_id, ...made };
    } finally {
      await telling.close();
    }
  },
);

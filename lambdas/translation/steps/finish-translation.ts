/** Ends a translation job as its languages ended. */
import { TO_ITS_END } from '../../../platform/kernel/job-step.ts';
import { publishingTable } from '../../../platform/runtime/publishing.ts';
import { mediaObjects } from '../../../platform/runtime/s3.ts';
import { endJob, withTranslations } from '../actions/end-job.ts';
import { answersPrefix } from '../actions/translate-transcription.ts';
import { type LanguageEnd, type TranslationInput, translationStep } from '../actions/translation-step.ts';

interface FinishInput extends TranslationInput {
  readonly ends: readonly LanguageEnd[];
}

export const handler = translationStep<FinishInput, object>(
  'FinishTranslation',
  async (input, { tenant, now }) => {
    const services = { tenant, table: publishingTable(tenant), now };
    await endJob(input, await withTranslations(input, input.ends, services), services);
    // Of languages that failed.
    await mediaObjects(tenant).deleteAll(answersPrefix(tenant, input.asset_id, input.job_id));
    return {};
  },
  TO_ITS_END,
);

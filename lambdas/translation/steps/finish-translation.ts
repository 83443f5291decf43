/** Ends a translation job as its languages ended, tells the asset of them, and meters what was translated. */

import { TO_ITS_END } from '../../../platform/kernel/job-step.ts';
import { Canceled, whenDeleted } from '../../../platform/kernel/step.ts';
import { publishingTable } from '../../../platform/runtime/publishing.ts';
import type { LanguageOutcome } from '../../../platform/shared/assets.ts';
import type { JobItem } from '../../../platform/shared/jobs.ts';
import { Usage } from '../../../platform/usage/records.ts';
import { Assets } from '../../assets/records/assets.ts';
import {
  failureOf,
  type LanguageEnd,
  type TranslationInput,
  translationJobs,
  translationStep,
} from '../actions/job.ts';
import { languageItem, languageOutcome } from '../rules/language-ends.ts';

interface FinishInput extends TranslationInput {
  readonly ends: readonly LanguageEnd[];
}

export const handler = translationStep<FinishInput, object>(
  'FinishTranslation',
  async ({ asset_id, job_id, kind, ends }, { tenant, now, job }) => {
    const table = publishingTable(tenant);
    const jobs = translationJobs(tenant, kind, table);
    const assets = new Assets(table, tenant);
    const usage = new Usage(table, tenant);
    const outcomes: LanguageOutcome[] = [];
    const items: JobItem<'translation'>[] = [];
    for (const end of ends) {
      const error = failureOf(end);
      outcomes.push(languageOutcome(end.language_id, error));
      items.push(languageItem(kind, end, error));
      if ('failure' in end) continue;
      await assets.addLanguage(asset_id, end.language_id, now()).catch(whenDeleted);
      const use_id = `${job_id}#${end.language_id}`;
      await usage.record({
        use_id,
        meter: 'translated_characters',
        quantity: end.characters,
        at: job.created_at,
      });
    }
    const made = ends.flatMap((end) => ('failure' in end ? [] : [end.transcription_id]));
    const errors = outcomes.flatMap(({ error }) => error ?? []);
    const end =
      made.length === 0 && errors[0] !== undefined
        ? ({ status: 'failed', error: errors[0], items } as const)
        : { result: { transcription_ids: made }, items };
    await assets.noteTranslations(asset_id, outcomes, now()).catch(whenDeleted);
    // The job last: whoever waits for it finds the asset as it says.
    if (!(await jobs.settle(asset_id, job_id, now(), end))) throw new Canceled();
    return {};
  },
  TO_ITS_END,
);

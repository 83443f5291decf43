/** Ends a translation job. The same transaction records the results of its languages on the asset. */
import { endOfItems, type StateError } from '../../../platform/jobs/job-failure.ts';
import { Canceled } from '../../../platform/kernel/step.ts';
import { itemAt } from '../../../shared/checked-access.ts';
import { noneFound } from '../../../shared/problems.ts';
import { languageItem, languageOutcome } from '../rules/language-outcomes.ts';
import type { TranslationJob } from '../rules/translation-job.ts';
import {
  failureOf,
  type LanguageEnd,
  type TranslationInput,
  type TranslationServices,
  translationJobs,
} from './translation-services.ts';

type Services = Pick<TranslationServices, 'tenant' | 'table' | 'assets' | 'transcriptions'>;

/** The number of retries if the asset changes at the same time. */
const ATTEMPTS = 20;

/** Ends the job. A repeat changes nothing. Throws Canceled if the job was canceled. */
export async function endJob(
  { asset_id, job_id, kind }: Pick<TranslationInput, 'asset_id' | 'job_id' | 'kind'>,
  ends: readonly LanguageEnd[],
  { tenant, table, assets, now }: Services & { readonly now: () => Date },
): Promise<void> {
  const jobs = translationJobs(tenant, kind, table);
  const errors = ends.map(failureOf);
  const items = ends.map((end, at) => languageItem(kind, end, itemAt(errors, at)));
  const outcomes = ends.map(({ language_id }, at) => languageOutcome(language_id, itemAt(errors, at)));
  const made = ends.flatMap((end) => ('failure' in end ? [] : [end.transcription_id]));
  const end = endOfItems<'translation'>(items, { transcription_ids: made });
  const noted = async () =>
    (await assets.translationWrites(asset_id, outcomes, now()).catch(noneFound)) ?? [];
  if (!(await jobs.settle(asset_id, job_id, { now: now(), end, alongside: noted, attempts: ATTEMPTS })))
    throw new Canceled();
}

/** The results of a crashed job. A language has failed, for the given reason, if the job stored no translation. */
export function findOutcomes(
  job: TranslationJob,
  failure: StateError,
  services: Pick<Services, 'transcriptions'>,
): Promise<LanguageEnd[]> {
  const ends = job.own.language_ids.map((language_id) => ({ language_id, failure }));
  return withTranslations(job, ends, services);
}

/** Corrects failures: if a step stored its translation and then crashed, the language has succeeded. */
export async function withTranslations(
  { asset_id, job_id }: Pick<TranslationJob, 'asset_id' | 'job_id'>,
  ends: readonly LanguageEnd[],
  { transcriptions }: Pick<Services, 'transcriptions'>,
): Promise<LanguageEnd[]> {
  if (!ends.some((end) => 'failure' in end)) return [...ends];
  const heads = await transcriptions.list(asset_id);
  return ends.map((end) => {
    if (!('failure' in end)) return end;
    const { language_id } = end;
    const head = heads.find((one) => one.language_id === language_id && one.made_by?.job_id === job_id);
    if (head?.made_by === undefined) return end;
    const { version, characters = 0 } = head.made_by;
    return { language_id, transcription_id: head.transcription_id, version, characters };
  });
}

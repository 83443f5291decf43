/** Ends a translation job. The same transaction records the results of its languages on the asset. */
import { Canceled } from '../../../platform/kernel/step.ts';
import type { TenantTable } from '../../../platform/table/tenant-table.ts';
import { noneFound } from '../../../shared/problems.ts';
import type { TenantId } from '../../../shared/tenant.ts';
import { Assets } from '../../assets/records/assets.ts';
import { transcriptionsOf } from '../../transcripts/lineage/records/transcriptions.ts';
import { languageItem, languageOutcome } from '../rules/language-outcomes.ts';
import type { TranslationJob } from '../rules/translation-job.ts';
import { failureOf, type LanguageEnd, type TranslationInput, translationJobs } from './translation-step.ts';

interface Services {
  readonly tenant: TenantId;
  /** A table whose writes also publish events. */
  readonly table: TenantTable;
  readonly now: () => Date;
}

/** The number of retries if the asset changes at the same time. */
const ATTEMPTS = 20;

/** Ends the job. A repeat changes nothing. Throws Canceled if the job was canceled. */
export async function endJob(
  { asset_id, job_id, kind }: Pick<TranslationInput, 'asset_id' | 'job_id' | 'kind'>,
  ends: readonly LanguageEnd[],
  { tenant, table, now }: Services,
): Promise<void> {
  const jobs = translationJobs(tenant, kind, table);
  const assets = new Assets(table, tenant);
  const errors = ends.map(failureOf);
  const items = ends.map((end, at) => languageItem(kind, end, errors[at]!));
  const outcomes = ends.map(({ language_id }, at) => languageOutcome(language_id, errors[at]!));
  const made = ends.flatMap((end) => ('failure' in end ? [] : [end.transcription_id]));
  const [error] = errors.filter((one) => one !== null);
  const end =
    made.length === 0 && error !== undefined
      ? ({ status: 'failed', error, items } as const)
      : { result: { transcription_ids: made }, items };
  const noted = async () =>
    (await assets.translationWrites(asset_id, outcomes, now()).catch(noneFound)) ?? [];
  if (!(await jobs.settle(asset_id, job_id, now(), end, noted, ATTEMPTS))) throw new Canceled();
}

/**
 * The results of a crashed job. A language succeeded if the job's translation exists. The remaining languages failed
 * for the given reason.
 */
export function findOutcomes(
  job: TranslationJob,
  failure: { readonly Error?: string; readonly Cause?: string },
  services: Services,
): Promise<LanguageEnd[]> {
  const ends = job.own.language_ids.map((language_id) => ({ language_id, failure }));
  return withTranslations(job, ends, services);
}

/** Corrects failures. If a step stored its translation and then crashed, its language succeeded. */
export async function withTranslations(
  { asset_id, job_id }: Pick<TranslationJob, 'asset_id' | 'job_id'>,
  ends: readonly LanguageEnd[],
  { tenant, table }: Services,
): Promise<LanguageEnd[]> {
  if (!ends.some((end) => 'failure' in end)) return [...ends];
  const heads = await transcriptionsOf(table, tenant, asset_id);
  return ends.map((end) => {
    if (!('failure' in end)) return end;
    const { language_id } = end;
    const head = heads.find((one) => one.language_id === language_id && one.made_by?.job_id === job_id);
    if (head?.made_by === undefined) return end;
    const { version, characters = 0 } = head.made_by;
    return { language_id, transcription_id: head.transcription_id, version, characters };
  });
}

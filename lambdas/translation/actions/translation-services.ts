import { failureOfState, type StateError } from '../../../platform/jobs/job-failure.ts';
import { Jobs } from '../../../platform/jobs/job-records.ts';
import { type AssetJobInput, subjectSteps } from '../../../platform/kernel/job-step.ts';
import { mediaObjects } from '../../../platform/runtime/s3.ts';
import type { TenantTable } from '../../../platform/table/tenant-table.ts';
import type { JobFailure } from '../../../shared/assets.ts';
import type { TenantId } from '../../../shared/ids.ts';
import { Assets } from '../../assets/records/assets.ts';
import { Transcriptions } from '../../transcripts/lineage/records/transcriptions.ts';
import type { TranslationKind, TranslationOwn } from '../rules/translation-job.ts';

export interface TranslationInput extends AssetJobInput {
  readonly kind: TranslationKind;
}

/** The result of one language, as the state machine passes it on. */
export type LanguageEnd = { readonly language_id: string } & (
  | {
      readonly transcription_id: string;
      readonly version: number;
      readonly characters: number;
      readonly missing_count?: number;
      readonly deleted_segment_ids?: readonly string[];
    }
  | { readonly failure: StateError }
);

/** The reason why a language failed. Null if it succeeded. */
export const failureOf = (end: LanguageEnd): JobFailure | null =>
  'failure' in end ? failureOfState(end.failure) : null;

/** The jobs of one kind. The two kinds differ only in their results. */
export const translationJobs = (tenant: TenantId, kind: TranslationKind, table: TenantTable) =>
  new Jobs<'translation', TranslationOwn>(table, tenant, kind as 'translation');

/** @param table publishes events if jobs are started or ended */
export function translationServices(tenant: TenantId, table: TenantTable) {
  const objects = mediaObjects(tenant);
  const transcriptions = new Transcriptions(table, objects, tenant);
  return { tenant, table, objects, transcriptions, assets: new Assets(table, tenant) };
}

export type TranslationServices = ReturnType<typeof translationServices>;

export const { jobStep: translationStep, endStep: translationEndStep } = subjectSteps<
  'translation',
  TranslationOwn,
  TranslationServices
>('translation', translationServices);

/** Types and functions that the steps of the Translation state machine share. */

import { jobFailure } from '../../../platform/jobs/job-failure.ts';
import { Jobs } from '../../../platform/jobs/job-records.ts';
import type { JobContext } from '../../../platform/kernel/job-step.ts';
import { jobStep } from '../../../platform/kernel/job-step.ts';
import type { StepInput } from '../../../platform/kernel/step.ts';
import { coreTable } from '../../../platform/runtime/dynamodb.ts';
import type { Named } from '../../../platform/steps/define-step.ts';
import type { JobFailure } from '../../../shared/assets.ts';
import type { JobId } from '../../../shared/ids.ts';
import type { TenantId } from '../../../shared/tenant.ts';
import type { TranslationJob, TranslationKind, TranslationOwn } from '../rules/translation-job.ts';

export interface TranslationInput extends StepInput {
  readonly job_id: JobId;
  readonly kind: TranslationKind;
}

/** The result of one language, as the state machine passes it on. */
export type LanguageEnd = { readonly language_id: string } & (
  | { readonly transcription_id: string; readonly version: number; readonly characters: number }
  | { readonly failure: { readonly Error?: string; readonly Cause?: string } }
);

/** The reason why a language failed. Null if it succeeded. */
export const failureOf = (end: LanguageEnd): JobFailure | null =>
  'failure' in end ? jobFailure(end.failure.Error, end.failure.Cause) : null;

/** The jobs of one kind. The two kinds differ only in their results. */
export const translationJobs = (tenant: TenantId, kind: TranslationKind, table = coreTable(tenant)) =>
  new Jobs<'translation', TranslationOwn>(table, tenant, kind as 'translation');

/** A step of the Translation state machine. @param name the name of its Lambda */
export const translationStep = <Given extends TranslationInput, Result>(
  settings: Named,
  work: (input: Given, context: JobContext<TranslationJob>) => Promise<Result>,
  patienceMs?: number,
) =>
  jobStep<Given, Result, TranslationJob>(
    settings,
    ({ asset_id, job_id, kind }, tenant) => translationJobs(tenant, kind).find(asset_id, job_id),
    work,
    patienceMs,
  );

/** Types and functions for the steps that make speech, in voice over jobs and in ingests. */

import { Jobs } from '../../../platform/jobs/job-records.ts';
import { type JobContext, jobStep } from '../../../platform/kernel/job-step.ts';
import type { StepInput } from '../../../platform/kernel/step.ts';
import { coreTable } from '../../../platform/runtime/dynamodb.ts';
import { mediaObjects } from '../../../platform/runtime/s3.ts';
import type { Named } from '../../../platform/steps/define-step.ts';
import type { JobId } from '../../../shared/ids.ts';
import type { TenantId } from '../../../shared/tenant.ts';
import { DubFiles } from '../records/dub-files.ts';
import type { VoiceOverJob, VoiceOverOwn } from '../rules/voice-over-job.ts';

/** A job that makes speech: a voice over job, or an ingest whose template asks for voice overs. */
type SpeakingKind = 'voice_over' | 'ingest';

export interface VoiceOverInput extends StepInput {
  readonly job_id: JobId;
  readonly kind: SpeakingKind;
}

/** One language of a job that makes speech. */
export interface DubInput extends VoiceOverInput {
  /** The index of the language in the job. */
  readonly index: number;
  /** The number of languages in the job. */
  readonly languages: number;
  readonly language_id: string;
}

export const voiceOverJobs = (
  tenant: TenantId,
  table = coreTable(tenant),
  kind: SpeakingKind = 'voice_over',
) => new Jobs<'voice_over', VoiceOverOwn>(table, tenant, kind as 'voice_over');

export const dubFiles = (tenant: TenantId) => new DubFiles(mediaObjects(tenant), tenant);

/** A step for jobs of either kind. It must not read fields that only an ingest has. */
export const voiceOverStep = <Given extends VoiceOverInput, Result>(
  settings: Named,
  work: (input: Given, context: JobContext<VoiceOverJob>) => Promise<Result>,
  patienceMs?: number,
) =>
  jobStep<Given, Result, VoiceOverJob>(
    settings,
    ({ asset_id, job_id, kind }, tenant) =>
      voiceOverJobs(tenant, coreTable(tenant), kind).find(asset_id, job_id),
    work,
    patienceMs,
  );

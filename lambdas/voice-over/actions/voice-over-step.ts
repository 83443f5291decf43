/** Services and types of the steps that make speech, in voice over jobs and in ingests. */
import { type AssetJobInput, subjectSteps } from '../../../platform/kernel/job-step.ts';
import { mediaObjects } from '../../../platform/runtime/s3.ts';
import type { TenantTable } from '../../../platform/table/tenant-table.ts';
import type { TenantId } from '../../../shared/ids.ts';
import { translationServices } from '../../translation/actions/translation-services.ts';
import { audioTracksOf } from '../records/audio-tracks.ts';
import { DubFiles } from '../records/dub-files.ts';
import type { VoiceOverOwn } from '../rules/voice-over-job.ts';

export interface VoiceOverInput extends AssetJobInput {
  readonly kind: 'voice_over' | 'ingest';
}

/** One language of a job that makes speech. */
export interface DubInput extends VoiceOverInput {
  readonly index: number;
  readonly languages: number;
  readonly language_id: string;
}

export const dubFiles = (tenant: TenantId) => new DubFiles(mediaObjects(tenant), tenant);

/** @param table publishes events if jobs are started or ended */
export const dubServices = (tenant: TenantId, table: TenantTable) => ({
  ...translationServices(tenant, table),
  tracks: audioTracksOf(table, tenant),
  files: dubFiles(tenant),
});

export type DubServices = ReturnType<typeof dubServices>;

const steps = subjectSteps<'voice_over', VoiceOverOwn, DubServices>('voice_over', dubServices);

/** A step for jobs of either kind. It must not read fields that only an ingest has. */
export const voiceOverStep = steps.jobStep;
export const voiceOverEndStep = steps.endStep;

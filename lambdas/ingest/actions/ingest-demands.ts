/** The demands of an ingest. Its quote shows them, and its steps reserve them. */
import type { Demand } from '../../../platform/admission/demand.ts';
import { jobFailure } from '../../../platform/jobs/job-failure.ts';
import { availability, type Capability, declarationOf, doneBy } from '../../../platform/runtime/engines.ts';
import { reserveInStep } from '../../../platform/runtime/reserve-in-step.ts';
import type { TenantId } from '../../../shared/ids.ts';
import type { IngestJob } from '../../../shared/ingest-jobs.ts';
import type { Unavailable } from '../rules/outcomes.ts';
import type { Use } from '../rules/uses.ts';

export const ingestDemands = (uses: readonly Use[]): Demand[] =>
  uses.map(({ capability, quantity, ...use }) => ({
    ...use,
    quantity: quantity + Math.min(quantity, comparedBy(capability)),
    by: doneBy(capability),
  }));

/** The maximum number of pictures that the engine in use compares for an asset, in addition to the pictures of the demand. */
function comparedBy(capability: Capability): number {
  const choice = declarationOf(capability);
  return choice.status === 'available' ? (choice.engine.compares ?? 0) : 0;
}

/** Reserves the demands until the job ends, from the quotas at the end of the upload. A repeat reserves nothing more. */
export const reserveIngest = (job: IngestJob, uses: readonly Use[], tenant: TenantId): Promise<void> =>
  reserveInStep(job.asset_id, job, ingestDemands(uses), tenant);

const capabilities: Readonly<Record<Parameters<Unavailable>[0], Capability>> = {
  transcription: 'transcription',
  camera_shoots: 'shots',
  faces: 'faces',
  ocr: 'ocr',
  sound_descriptions: 'sound_events',
  autocenter: 'shots',
  metadata: 'text_analysis',
  // Word lists need no engine of their own, only transcribed words.
  word_lists: 'transcription',
  translation: 'translation',
  voice_over: 'speech',
};

export const whyUnavailable: Unavailable = (kind) => {
  const found = availability(capabilities[kind]);
  return found.status === 'available' ? null : jobFailure('engine_unavailable', found.reason);
};

/**
 * Ends a translation job that failed as a whole. Languages that were translated before keep their results. A failure of
 * one language does not come here.
 */

import { step } from '../../../platform/kernel/step.ts';
import { publishingTable } from '../../../platform/runtime/publishing.ts';
import { mediaObjects } from '../../../platform/runtime/s3.ts';
import { defineStep, sampleJob } from '../../../platform/steps/define-step.ts';
import { endJob, findOutcomes } from '../actions/end-job.ts';
import { answersPrefix } from '../actions/translate-transcription.ts';
import { type TranslationInput, translationJobs } from '../actions/translation-step.ts';

interface Failed extends TranslationInput {
  /** The `$states.errorOutput` of the failed state. */
  readonly failure: { readonly Error?: string; readonly Cause?: string };
}

export const settings = defineStep<Failed>({
  name: 'FailTranslation',
  description: 'Records why a whole translation job failed',
  memory: 256,
  timeout: 60,
  permissions: {
    tables: { Core: ['delete', 'get', 'put', 'query', 'update'] },
    admin: true,
    media: ['Delete'],
  },
  starts: ['DeliverEvent'],
  event: { ...sampleJob, kind: 'translation', failure: { Error: 'States.Timeout', Cause: '' } },
});

export const handler = step<Failed, object>(settings, async (input, { tenant, now }) => {
  const { asset_id, job_id, kind, failure } = input;
  const services = { tenant, table: publishingTable(tenant), now };
  const job = await translationJobs(tenant, kind, services.table).find(asset_id, job_id);
  if (job === null) return {};
  await endJob(input, await findOutcomes(job, failure, services), services);
  await mediaObjects(tenant).deleteAll(answersPrefix(tenant, asset_id, job_id));
  return {};
});

/** Removes the results of a failed ingest, and records the reason in its job and its asset. */

import { type FailedInput, jobFailure } from '../../../platform/jobs/job-failure.ts';
import { Canceled, step, unlessCanceled } from '../../../platform/kernel/step.ts';
import { publishingTable } from '../../../platform/runtime/publishing.ts';
import { defineStep, sampleJob } from '../../../platform/steps/define-step.ts';
import { noneFound } from '../../../shared/problems.ts';
import { discardAll } from '../../voice-over/actions/clone-voices.ts';
import { dubFiles } from '../../voice-over/actions/voice-over-step.ts';
import { failedAssetFields, isProcessedBy, removeResults } from '../actions/clear-results.ts';
import { ingestServices } from '../actions/ingest-services.ts';
import type { IngestInput } from '../actions/ingest-step.ts';
import { finalOutcomes, itemsOf } from '../rules/outcomes.ts';

type Failed = IngestInput & FailedInput;

export const settings = defineStep<Failed>({
  name: 'FailIngest',
  description: 'Removes the files of a failed ingest, and records the reason in its job and its asset',
  memory: 512,
  timeout: 300,
  permissions: {
    tables: { Core: ['check', 'delete', 'get', 'put', 'query', 'update'] },
    admin: true,
    media: ['Read', 'Write', 'Delete'],
    engines: { voice_cloning: ['discard'] },
  },
  starts: ['DeliverEvent'],
  event: {
    ...sampleJob,
    failure: {
      Error: 'media_unreadable',
      Cause: '{"errorType":"media_unreadable","errorMessage":"The file is empty."}',
    },
  },
});

export const handler = step<Failed, object>(settings, async (input, { tenant, now, newId }) => {
  const services = ingestServices(tenant, publishingTable(tenant));
  const { assets, jobs } = services;
  const { asset_id, job_id, failure } = input;
  const error = jobFailure(failure.Error, failure.Cause);
  // The upload is removed too, so that the caller can send a better file to the same asset.
  const asset = await assets.get(asset_id).catch(noneFound);
  const job = await jobs.find(asset_id, job_id);
  if (job !== null && job.status !== 'canceled' && isProcessedBy(asset, job)) {
    await discardAll(job, dubFiles(tenant));
    await removeResults(job, { now: now(), newId }, services);
  }
  const outcomes = asset && finalOutcomes(asset, { error });
  const failed = { status: 'failed', ...failedAssetFields, error, ...outcomes } as const;
  const items = outcomes === null ? [] : itemsOf(outcomes);
  const end = { status: 'failed', error, items } as const;
  await assets.settle(input, failed, now(), async () =>
    unlessCanceled(await jobs.writesOfEnd(asset_id, job_id, now(), end)),
  );
  // If the asset was deleted, only the job ends.
  if (!(await jobs.settle(asset_id, job_id, now(), end))) throw new Canceled();
  return {};
});

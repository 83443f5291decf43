import { type FailedInput, failureOfState } from '../../../platform/jobs/job-failure.ts';
import type { AssetJobInput } from '../../../platform/kernel/job-step.ts';
import { Canceled, unlessCanceled } from '../../../platform/kernel/step.ts';
import { publishingTable } from '../../../platform/runtime/publishing.ts';
import { defineStep, sampleJob } from '../../../platform/steps/define-step.ts';
import { noneFound } from '../../../shared/problems.ts';
import { discardAll } from '../../voice-over/actions/clone-voices.ts';
import { dubFiles } from '../../voice-over/actions/voice-over-step.ts';
import { failedAssetFields, isProcessedBy, removeResults } from '../actions/clear-results.ts';
import { ingestEndStep } from '../actions/ingest-step.ts';
import { finalOutcomes, itemsOf } from '../rules/outcomes.ts';

type Failed = AssetJobInput & FailedInput;

export const settings = defineStep<Failed>({
  name: 'FailIngest',
  description: 'Removes the results of a failed ingest, and records the reason in its job and its asset',
  memory: 512,
  timeout: 300,
  permissions: {
    tables: { Core: ['check', 'delete', 'get', 'put', 'query', 'update'] },
    media: ['Read', 'Write', 'Delete'],
    engines: { voice_cloning: ['discard'] },
  },
  publishes: true,
  event: {
    ...sampleJob,
    failure: {
      Error: 'media_unreadable',
      Cause: '{"errorType":"media_unreadable","errorMessage":"The file is empty."}',
    },
  },
});

export const handler = ingestEndStep<Failed, object>(settings, publishingTable, async (input, services) => {
  const { assets, jobs, tenant, now } = services;
  const { asset_id, job_id } = input;
  const error = failureOfState(input.failure);
  // The upload is removed too, so that the caller can send a better file to the same asset.
  const asset = await assets.get(asset_id).catch(noneFound);
  const job = await jobs.find(asset_id, job_id);
  if (job !== null && job.status !== 'canceled' && isProcessedBy(asset, job)) {
    await discardAll(job, dubFiles(tenant));
    await removeResults(job, services);
  }
  const outcomes = asset && finalOutcomes(asset, { error });
  const failed = { status: 'failed', ...failedAssetFields, error, ...outcomes } as const;
  const items = outcomes === null ? [] : itemsOf(outcomes);
  const end = { status: 'failed', error, items } as const;
  await assets.settle(input, failed, now(), async () =>
    unlessCanceled(await jobs.writesOfEnd(asset_id, job_id, now(), end)),
  );
  // If the asset was deleted, only the job ends.
  if (!(await jobs.settle(asset_id, job_id, { now: now(), end }))) throw new Canceled();
  return {};
});

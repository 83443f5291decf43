/** Writes why an ingest failed onto its job and its asset. */

import { jobFailure } from '../../../platform/jobs/job-failure.ts';
import { Canceled, step, unlessCanceled } from '../../../platform/kernel/step.ts';
import { publishingTable } from '../../../platform/runtime/publishing.ts';
import { noneFound } from '../../../platform/shared/problems.ts';
import { ingestRecords } from '../actions/records.ts';
import type { IngestInput } from '../actions/steps.ts';
import { endedOutcomes, itemsOf } from '../rules/outcomes.ts';

interface Failed extends IngestInput {
  /** `$states.errorOutput` of the state that failed. */
  readonly failure: { readonly Error?: string; readonly Cause?: string };
}

export const handler = step<Failed, object>('FailIngest', async (input, { tenant, now }) => {
  const { assets, jobs } = ingestRecords(tenant, publishingTable(tenant));
  const { asset_id, job_id, failure } = input;
  const error = jobFailure(failure.Error ?? '', failure.Cause ?? '');
  // The upload is given back, so that the caller can send a better file to the same asset.
  const asset = await assets.get(asset_id).catch(noneFound);
  const outcomes = asset && endedOutcomes(asset, error);
  const ended = { stage: null, estimated_ready_at: null, upload_id: null } as const;
  const failed = { status: 'failed', ...ended, error, ...outcomes } as const;
  const items = outcomes === null ? [] : itemsOf(outcomes);
  const end = { status: 'failed', error, items } as const;
  await assets.settle(asset_id, job_id, now(), failed, async () =>
    unlessCanceled(await jobs.ending(asset_id, job_id, now(), end)),
  );
  // Where the asset is gone, the job ends alone.
  if (!(await jobs.settle(asset_id, job_id, now(), end))) throw new Canceled();
  return {};
});

/** Writes why an ingest failed onto its job and its asset. */
import { jobFailure } from '../../../platform/jobs/job-failure.ts';
import { step } from '../../../platform/kernel/step.ts';
import { type IngestInput, ingestRecords } from '../actions/records.ts';

interface Failed extends IngestInput {
  /** `$states.errorOutput` of the state that failed. */
  readonly failure: { readonly Error?: string; readonly Cause?: string };
}

export const handler = step<Failed, object>('FailIngest', async (input, { tenant, now }) => {
  const { assets, jobs } = ingestRecords(tenant);
  const { asset_id, job_id, failure } = input;
  const error = jobFailure(failure.Error ?? '', failure.Cause ?? '');
  // The upload is given back, so that the caller can send a better file to the same asset.
  await assets.settle(asset_id, job_id, now(), { status: 'failed', stage: null, error, upload_id: null });
  // The job last: whoever waits for it finds the asset as it says.
  await jobs.fail(asset_id, job_id, now(), error);
  return {};
});

/**
 * Removes what a canceled ingest had made, and gives its upload back: the asset is failed and takes another. Where the
 * asset was deleted, or another job processes it, nothing is touched.
 */

import { step } from '../../../platform/kernel/step.ts';
import { publishingTable } from '../../../platform/runtime/publishing.ts';
import { canceledFailure } from '../../../platform/shared/jobs.ts';
import { noneFound } from '../../../platform/shared/problems.ts';
import { assetPrefix } from '../../../platform/store/objects.ts';
import { ingestServices } from '../actions/ingest.ts';
import type { IngestInput } from '../actions/steps.ts';
import { endedOutcomes } from '../rules/outcomes.ts';

export const handler = step<IngestInput, object>('ClearIngest', async (input, { tenant, now }) => {
  const { assets, jobs, objects, transcriptions, usage } = ingestServices(tenant, publishingTable(tenant));
  const { asset_id, job_id } = input;
  const asset = await assets.get(asset_id).catch(noneFound);
  const job = await jobs.find(asset_id, job_id);
  const isOurs = job !== null && asset?.ingest_job_id === job_id && asset.status !== 'deleting';
  if (isOurs) {
    await transcriptions.remove(asset_id, job.own.transcription_id);
    await assets.relist(asset_id, 'language_id', [], now());
    await objects.deleteAll(assetPrefix(tenant, asset_id));
    await usage.recordRemoved(asset_id, now());
    await assets.settle(asset_id, job_id, now(), {
      status: 'failed',
      stage: null,
      error: canceledFailure,
      upload_id: null,
      languages: [],
      ...endedOutcomes(asset, canceledFailure),
    });
  }
  await jobs.closed(job_id);
  return {};
});

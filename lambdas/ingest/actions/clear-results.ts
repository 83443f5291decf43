/** Takes back what an ingest had made of its asset that did not succeed, so that the asset takes another upload. */

import { assetPrefix, sourceKey } from '../../../platform/objects/media-objects.ts';
import type { StoredAsset } from '../../../shared/assets.ts';
import type { IngestJob } from '../../../shared/ingest-jobs.ts';
import { noneFound } from '../../../shared/problems.ts';
import { takeBack } from '../../translation/actions/translate-transcription.ts';
import { removeAnalyses } from './clear-analyses.ts';
import type { IngestServices } from './ingest-services.ts';

/** What an asset is left with, whose ingest did not succeed. */
export const failedAssetFields = {
  stage: null,
  estimated_ready_at: null,
  upload_id: null,
  languages: [],
} as const;

/** Whether what is stored of the asset is of this job, and of no other since. */
export const isProcessedBy = (
  asset: StoredAsset | null,
  { job_id }: Pick<IngestJob, 'job_id'>,
): asset is StoredAsset =>
  asset?.ingest_job_id === job_id && (asset.status === 'processing' || asset.clearing_job_id === job_id);

/** Removes all of it, the upload too. To be done before the asset is told to have failed: from then on it may be sent another. */
export async function removeResults(
  { asset_id, job_id, own }: IngestJob,
  { now, newId }: { readonly now: Date; readonly newId: () => string },
  { assets, objects, transcriptions, usage, tenant }: IngestServices,
): Promise<void> {
  await objects.abortUpload(sourceKey(tenant, asset_id), own.upload_id);
  await takeBack(job_id, asset_id, { now: () => now, newId }, transcriptions);
  await transcriptions.remove(asset_id, own.transcription_id);
  await assets.relist(asset_id, 'language_id', [], now);
  await removeAnalyses(asset_id, now, tenant, assets);
  // The machine of a canceled job and the request that canceled it both have this done: who is late must not meet another upload.
  if (!isProcessedBy(await assets.get(asset_id).catch(noneFound), { job_id })) return;
  await objects.abortUploads(assetPrefix(tenant, asset_id));
  await objects.deleteAll(assetPrefix(tenant, asset_id));
  await usage.recordRemoved(asset_id, now);
}

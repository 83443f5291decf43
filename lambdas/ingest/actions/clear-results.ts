/** Removes the results of an ingest that did not succeed, so that the asset accepts another upload. */

import { assetPrefix, sourceKey } from '../../../platform/objects/media-objects.ts';
import type { StoredAsset } from '../../../shared/assets.ts';
import type { IngestJob } from '../../../shared/ingest-jobs.ts';
import { noneFound } from '../../../shared/problems.ts';
import { takeBack } from '../../translation/actions/translate-transcription.ts';
import { removeAnalyses } from './clear-analyses.ts';
import type { IngestServices } from './ingest-services.ts';

/** Fields of an asset after its ingest failed. */
export const failedAssetFields = {
  stage: null,
  estimated_ready_at: null,
  upload_id: null,
  languages: [],
} as const;

/** Whether this job, and no later one, processes the asset. */
export const isProcessedBy = (
  asset: StoredAsset | null,
  { job_id }: Pick<IngestJob, 'job_id'>,
): asset is StoredAsset =>
  asset?.ingest_job_id === job_id && (asset.status === 'processing' || asset.clearing_job_id === job_id);

/**
 * Removes all results and the upload. Call it before the asset is marked as failed: then the caller may upload
 * again.
 */
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
  // Both the job's own execution and the execution that cancelJob starts do this. The later one must not delete
  // a new upload.
  if (!isProcessedBy(await assets.get(asset_id).catch(noneFound), { job_id })) return;
  await objects.abortUploads(assetPrefix(tenant, asset_id));
  await objects.deleteAll(assetPrefix(tenant, asset_id));
  await usage.recordRemoved(asset_id, now);
}

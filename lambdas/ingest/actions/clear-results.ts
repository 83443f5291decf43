/** Removes the results of an ingest that did not succeed, so that the asset accepts another upload. */
import { assetPrefix, sourceKey } from '../../../platform/objects/media-objects.ts';
import type { StoredAsset } from '../../../shared/assets.ts';
import type { AssetId } from '../../../shared/ids.ts';
import type { IngestJob } from '../../../shared/ingest-jobs.ts';
import { noneFound } from '../../../shared/problems.ts';
import { clearAssetIndex } from '../../analyses/actions/index-asset.ts';
import { soundDescriptionsOf } from '../../sound-descriptions/records.ts';
import { takeBack } from '../../translation/actions/translate-transcription.ts';
import type { IngestServices } from './ingest-step.ts';

export const failedAssetFields = {
  stage: null,
  estimated_ready_at: null,
  upload_id: null,
  languages: [],
} as const;

/** Analyses that PrepareAudio and MergePictures write. */
export const foundAnalyses = [
  ...(['waveform', 'camera_shoots', 'faces', 'texts', 'autocenter', 'storyboard', 'posters'] as const),
];

/** Whether this job processes the asset, and not a later job. */
export const isProcessedBy = (
  asset: StoredAsset | null,
  { job_id }: Pick<IngestJob, 'job_id'>,
): asset is StoredAsset =>
  asset?.ingest_job_id === job_id && (asset.status === 'processing' || asset.clearing_job_id === job_id);

interface Removing extends IngestServices {
  readonly now: () => Date;
  readonly newId: () => string;
}

/** Removes all results and the upload. Call it before the asset is marked as failed, because a new upload can then start. */
export async function removeResults({ asset_id, job_id, own }: IngestJob, removing: Removing): Promise<void> {
  const { assets, objects, transcriptions, usage, tenant, now } = removing;
  await objects.abortUpload(sourceKey(tenant, asset_id), own.upload_id);
  await takeBack(job_id, asset_id, removing, transcriptions);
  await transcriptions.remove(asset_id, own.transcription_id);
  await assets.relist(asset_id, 'language_id', [], now());
  await removeAnalyses(asset_id, now(), removing);
  // Two executions remove results: the job's own, and the one that cancelJob starts. The later one must not delete a
  // new upload.
  if (!isProcessedBy(await assets.get(asset_id).catch(noneFound), { job_id })) return;
  await objects.abortUploads(assetPrefix(tenant, asset_id));
  await objects.deleteAll(assetPrefix(tenant, asset_id));
  await usage.recordRemoved(asset_id, now());
}

export async function removeAnalyses(
  assetId: AssetId,
  now: Date,
  { table, tenant, results, assets }: Pick<IngestServices, 'table' | 'tenant' | 'results' | 'assets'>,
): Promise<void> {
  await soundDescriptionsOf(table, tenant).replace(assetId, []);
  await results.removeMetadata(assetId);
  await Promise.all(foundAnalyses.map((name) => results.forget(assetId, name)));
  await clearAssetIndex(assetId, now, assets).catch(noneFound);
}

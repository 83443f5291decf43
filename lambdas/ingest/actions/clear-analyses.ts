/** Removes the analyses of an ingest that did not succeed. */
import { coreTable } from '../../../platform/runtime/dynamodb.ts';
import { mediaObjects } from '../../../platform/runtime/s3.ts';
import type { AssetId, JobId } from '../../../shared/ids.ts';
import { noneFound } from '../../../shared/problems.ts';
import type { TenantId } from '../../../shared/tenant.ts';
import { clearAssetIndex } from '../../analyses/actions/index-asset.ts';
import { AnalysisResults } from '../../analyses/records/analysis-results.ts';
import type { Assets } from '../../assets/records/assets.ts';
import { soundDescriptionsOf } from '../../sound-descriptions/records.ts';

/** Analyses that PrepareAudio and MergePictures write. */
const found = [
  ...(['waveform', 'camera_shoots', 'faces', 'texts', 'autocenter', 'storyboard', 'posters'] as const),
];

/** Removes analyses that steps wrote after their job had ended. Keeps those of a later job. */
export async function removeLateAnalyses(assetId: AssetId, jobId: JobId, tenant: TenantId): Promise<void> {
  const results = new AnalysisResults(coreTable(tenant), mediaObjects(tenant), tenant);
  await results.forgetOf(assetId, jobId, found);
}

export async function removeAnalyses(
  assetId: AssetId,
  now: Date,
  tenant: TenantId,
  assets: Pick<Assets, 'relist'>,
): Promise<void> {
  const table = coreTable(tenant);
  await soundDescriptionsOf(table, tenant).replace(assetId, []);
  const results = new AnalysisResults(table, mediaObjects(tenant), tenant);
  await results.removeMetadata(assetId);
  await Promise.all(found.map((name) => results.forget(assetId, name)));
  await clearAssetIndex(assetId, now, assets).catch(noneFound);
}

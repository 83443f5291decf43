import { assetPrefix, type MediaObjects } from '../../../platform/objects/media-objects.ts';
import type { AssetId, TenantId } from '../../../shared/ids.ts';
import { noneFound } from '../../../shared/problems.ts';
import type { Assets } from './assets.ts';

interface Services {
  readonly tenant: TenantId;
  readonly assets: Assets;
  readonly objects: MediaObjects;
}

/** Removes all objects and uploads of the asset, but only if it was deleted or is being deleted. */
export async function removeMediaIfDeleted(
  assetId: AssetId,
  { tenant, assets, objects }: Services,
): Promise<void> {
  const asset = await assets.get(assetId).catch(noneFound);
  if (asset !== null && asset.status !== 'deleting') return;
  const prefix = assetPrefix(tenant, assetId);
  await objects.abortUploads(prefix);
  await objects.deleteAll(prefix);
}

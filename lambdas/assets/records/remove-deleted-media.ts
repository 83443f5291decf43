/** Removes media that a step still wrote while its asset was being deleted. */

import { assetPrefix, type MediaObjects } from '../../../platform/objects/media-objects.ts';
import type { TenantTable } from '../../../platform/table/tenant-table.ts';
import type { AssetId } from '../../../shared/ids.ts';
import { noneFound } from '../../../shared/problems.ts';
import type { TenantId } from '../../../shared/tenant.ts';
import { Assets } from './assets.ts';

/** Removes all objects and uploads of an asset that was deleted, or is being deleted. False otherwise. */
export async function removeMediaIfDeleted(
  assetId: AssetId,
  tenant: TenantId,
  table: TenantTable,
  objects: MediaObjects,
): Promise<boolean> {
  const asset = await new Assets(table, tenant).get(assetId).catch(noneFound);
  if (asset !== null && asset.status !== 'deleting') return false;
  const prefix = assetPrefix(tenant, assetId);
  await objects.abortUploads(prefix);
  await objects.deleteAll(prefix);
  return true;
}

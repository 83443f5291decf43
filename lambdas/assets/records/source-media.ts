/** The uploaded file of an asset. */
import { type MediaObjects, sourceKey } from '../../../platform/objects/media-objects.ts';
import type { AssetId, TenantId } from '../../../shared/ids.ts';
import { mediaUnreadable } from '../../../shared/job-errors.ts';
import type { RangeSource } from '../../../shared/media.ts';

/** Throws the JobError media_unreadable if the file was deleted. */
export async function requireSource(
  { asset_id }: { readonly asset_id: AssetId },
  { tenant, objects }: { readonly tenant: TenantId; readonly objects: MediaObjects },
): Promise<RangeSource> {
  const source = await objects.source(sourceKey(tenant, asset_id));
  if (source === null) throw mediaUnreadable('The file of the asset was deleted. Upload it again.');
  return source;
}

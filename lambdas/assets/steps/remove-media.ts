/**
 * Removes the uploads and objects of a deleted asset. Steps of its job that still run find it gone, and its machine then
 * clears up what they wrote meanwhile.
 */

import { type StepInput, step } from '../../../platform/kernel/step.ts';
import { coreTable } from '../../../platform/runtime/dynamodb.ts';
import { mediaObjects } from '../../../platform/runtime/s3.ts';
import { noneFound } from '../../../platform/shared/problems.ts';
import { assetPrefix, sourceKey } from '../../../platform/store/objects.ts';
import { Usage } from '../../../platform/usage/records.ts';
import { Assets } from '../records/assets.ts';

export const handler = step<StepInput, object>('RemoveMedia', async ({ asset_id }, { tenant, now }) => {
  const table = coreTable(tenant);
  const objects = mediaObjects(tenant);
  // A repeat after the records are gone has nothing to do.
  const asset = await new Assets(table, tenant).get(asset_id).catch(noneFound);
  if (asset === null) return {};
  if (asset.upload_id !== null) await objects.abortUpload(sourceKey(tenant, asset_id), asset.upload_id);
  await objects.deleteAll(assetPrefix(tenant, asset_id));
  await new Usage(table, tenant).recordRemoved(asset_id, now());
  return {};
});

/**
 * Removes what a canceled voice over job had made; tracks are made with its end alone. Where the asset was deleted, all that a step still
 * wrote for it meanwhile.
 */
import { step } from '../../../platform/kernel/step.ts';
import { publishingTable } from '../../../platform/runtime/publishing.ts';
import { mediaObjects } from '../../../platform/runtime/s3.ts';
import type { AssetId } from '../../../platform/shared/ids.ts';
import { noneFound } from '../../../platform/shared/problems.ts';
import type { TenantId } from '../../../platform/shared/tenant.ts';
import { assetPrefix, type MediaObjects } from '../../../platform/store/objects.ts';
import { Assets } from '../../assets/records/assets.ts';
import { discardAll } from '../actions/cloned-voices.ts';
import { dubFiles, type VoiceOverInput, voiceOverJobs } from '../actions/job.ts';
import { removeUnused } from '../actions/keep-dubs.ts';

export const handler = step<VoiceOverInput, object>(
  'ClearVoiceOver',
  async ({ asset_id, job_id }, { tenant }) => {
    const table = publishingTable(tenant);
    const files = dubFiles(tenant);
    const jobs = voiceOverJobs(tenant, table);
    const job = await jobs.find(asset_id, job_id);
    await discardAll({ asset_id, job_id }, files);
    const asset = await new Assets(table, tenant).get(asset_id).catch(noneFound);
    if (asset === null || asset.status === 'deleting')
      await removeAll(asset_id, mediaObjects(tenant), tenant);
    await files.removeJob({ asset_id, job_id });
    for (const language_id of job?.own.language_ids ?? [])
      await removeUnused(asset_id, language_id, { tenant, table, files });
    await jobs.closed(job_id);
    return {};
  },
);

async function removeAll(assetId: AssetId, objects: MediaObjects, tenant: TenantId): Promise<void> {
  const prefix = assetPrefix(tenant, assetId);
  await objects.abortUploads(prefix);
  await objects.deleteAll(prefix);
}

/**
 * Cancels the jobs of a deleted asset, so that whoever waits for them hears of their end, and removes its uploads and
 * objects. Steps that still run notice, and their machine then clears up what they wrote meanwhile.
 */

import { AllJobs } from '../../../platform/jobs/records.ts';
import { type StepInput, step } from '../../../platform/kernel/step.ts';
import { publishingTable } from '../../../platform/runtime/publishing.ts';
import { mediaObjects } from '../../../platform/runtime/s3.ts';
import { isTerminal } from '../../../platform/shared/jobs.ts';
import { InvalidState, noneFound } from '../../../platform/shared/problems.ts';
import { assetPrefix } from '../../../platform/store/objects.ts';
import { Usage } from '../../../platform/usage/records.ts';
import { Assets } from '../records/assets.ts';

export const handler = step<StepInput, object>('RemoveMedia', async ({ asset_id }, { tenant, now }) => {
  const table = publishingTable(tenant);
  const objects = mediaObjects(tenant);
  // A repeat after the records are gone has nothing to do.
  const asset = await new Assets(table, tenant).get(asset_id).catch(noneFound);
  if (asset === null) return {};
  const jobs = new AllJobs(table, tenant);
  for (const job of await jobs.ofAsset(asset_id)) {
    if (!isTerminal(job.status)) await jobs.cancel(job.job_id, now()).catch(unlessEnded);
  }
  await objects.abortUploads(assetPrefix(tenant, asset_id));
  await objects.deleteAll(assetPrefix(tenant, asset_id));
  await new Usage(table, tenant).recordRemoved(asset_id, now());
  return {};
});

/** A job that ended by itself at that moment needs no other end. */
function unlessEnded(error: unknown): void {
  if (!(error instanceof InvalidState)) throw error;
}

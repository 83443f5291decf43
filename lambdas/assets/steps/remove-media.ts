/**
 * Cancels the jobs of a deleted asset, so that whoever waits for them hears of their end, and removes its uploads and
 * objects. Steps that still run notice, and their machine then clears up what they wrote meanwhile. Uploads to storages
 * of the tenant's are known by the records of their jobs alone, so that they have to be cleared up before those go.
 */

import { AllJobs } from '../../../platform/jobs/records.ts';
import { type StepInput, step } from '../../../platform/kernel/step.ts';
import { publishingTable } from '../../../platform/runtime/publishing.ts';
import { mediaObjects } from '../../../platform/runtime/s3.ts';
import { isTerminal, type StoredJob } from '../../../platform/shared/jobs.ts';
import { InvalidState, noneFound } from '../../../platform/shared/problems.ts';
import { assetPrefix } from '../../../platform/store/objects.ts';
import { Usage } from '../../../platform/usage/records.ts';
import { Assets } from '../records/assets.ts';

interface Removed {
  /** Ids of canceled exports that have begun an upload. */
  readonly exports: readonly string[];
}

export const handler = step<StepInput, Removed>('RemoveMedia', async ({ asset_id }, { tenant, now }) => {
  const table = publishingTable(tenant);
  const objects = mediaObjects(tenant);
  // A repeat after the records are gone has nothing to do.
  const asset = await new Assets(table, tenant).get(asset_id).catch(noneFound);
  if (asset === null) return { exports: [] };
  const jobs = new AllJobs(table, tenant);
  for (const job of await jobs.ofAsset(asset_id)) {
    if (!isTerminal(job.status)) await jobs.cancel(job.job_id, now()).catch(unlessEnded);
  }
  await objects.abortUploads(assetPrefix(tenant, asset_id));
  await objects.deleteAll(assetPrefix(tenant, asset_id));
  await new Usage(table, tenant).recordRemoved(asset_id, now());
  const exports = (await jobs.ofAsset(asset_id)).filter(isLeftAtStorage).map(({ job_id }) => job_id);
  return { exports };
});

/** As far as an export job is read here. */
type ExportJob = StoredJob<'export', { readonly resume: object | null }>;

const isLeftAtStorage = (job: StoredJob): boolean =>
  job.type === 'export' && job.status === 'canceled' && (job as ExportJob).own.resume !== null;

/** A job that ended by itself at that moment needs no other end. */
function unlessEnded(error: unknown): void {
  if (!(error instanceof InvalidState)) throw error;
}

/**
 * Cancels the jobs of a deleted asset, which notifies their callers, and removes uploads and objects of the asset.
 * Steps and engines may still write objects until they stop. The step is therefore repeated until no job works any
 * more. Only then are the records removed: the sweep needs them to find crashed jobs whose provider still writes, and
 * uploads to storages of the tenant.
 */
import { AllJobs } from '../../../platform/jobs/job-records.ts';
import { type StepInput, step } from '../../../platform/kernel/step.ts';
import { assetPrefix } from '../../../platform/objects/media-objects.ts';
import { adminTable } from '../../../platform/runtime/dynamodb.ts';
import { publishingTable } from '../../../platform/runtime/publishing.ts';
import { mediaObjects } from '../../../platform/runtime/s3.ts';
import { usageOf } from '../../../platform/runtime/usage.ts';
import { defineStep, sampleJob } from '../../../platform/steps/define-step.ts';
import { openJobKey } from '../../../platform/table/keys.ts';
import { isTerminal, type StoredJob } from '../../../shared/jobs.ts';
import { InvalidState, noneFound } from '../../../shared/problems.ts';
import { Assets } from '../records/assets.ts';

interface Removed {
  /** Ids of canceled exports with an unfinished upload. */
  readonly exports: readonly string[];
  /** Whether no job of the asset works any more, so that no more objects are written. */
  readonly quiet: boolean;
}

export const settings = defineStep<StepInput>({
  name: 'RemoveMedia',
  description: 'Removes the uploads and objects of a deleted asset',
  memory: 512,
  timeout: 900,
  permissions: {
    tables: { Core: ['delete', 'get', 'put', 'query', 'update'] },
    admin: true,
    media: ['Delete'],
  },
  starts: ['DeliverEvent'],
  event: { tenant: sampleJob.tenant, asset_id: sampleJob.asset_id },
});

export const handler = step<StepInput, Removed>(settings, async ({ asset_id }, { tenant, now }) => {
  const table = publishingTable(tenant);
  const objects = mediaObjects(tenant);
  // If the records are gone, an earlier run has removed everything.
  const asset = await new Assets(table, tenant).get(asset_id).catch(noneFound);
  if (asset === null) return { exports: [], quiet: true };
  const jobs = new AllJobs(table, tenant);
  for (const job of await jobs.ofAsset(asset_id)) {
    if (!isTerminal(job.status)) await jobs.cancel(job.job_id, now()).catch(unlessEnded);
  }
  // Checks the jobs before the removal of objects, so that no job can add objects after the removal.
  const quiet = !(await isAnyOpen((await jobs.ofAsset(asset_id)).filter(isAwaited)));
  await objects.abortUploads(assetPrefix(tenant, asset_id));
  await objects.deleteAll(assetPrefix(tenant, asset_id));
  await usageOf(table, tenant).recordRemoved(asset_id, now());
  const exports = (await jobs.ofAsset(asset_id)).filter(isLeftAtStorage).map(({ job_id }) => job_id);
  return { exports, quiet };
});

/** A canceled job stays open until its machine has removed its results. Other jobs close when they end. */
const isAwaited = ({ type, status }: StoredJob): boolean =>
  // Does not wait for exports: they stay open if a storage rejects the removal. DeleteAsset removes their uploads
  // itself.
  status === 'canceled' && type !== 'export';

async function isAnyOpen(jobs: readonly StoredJob[]): Promise<boolean> {
  const entries = await Promise.all(jobs.map(({ job_id }) => adminTable().get(openJobKey(job_id))));
  return entries.some((entry) => entry !== null);
}

type ExportJob = StoredJob<'export', { readonly resume: object | null }>;

const isLeftAtStorage = (job: StoredJob): boolean =>
  job.type === 'export' && job.status === 'canceled' && (job as ExportJob).own.resume !== null;

/** Ignores the error for a job that has just ended: the job keeps its final status. */
function unlessEnded(error: unknown): void {
  if (!(error instanceof InvalidState)) throw error;
}

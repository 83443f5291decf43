/** Stops the job of a deleted asset, then removes its uploads and objects. */
import { Assets } from '../data/assets.ts';
import { type IngestJob, Jobs } from '../data/jobs.ts';
import { assetPrefix, sourceKey } from '../data/objects.ts';
import { Usage } from '../data/usage.ts';
import { isTerminal } from '../domain/jobs.ts';
import { noneFound } from '../domain/problems.ts';
import { type StepInput, step } from '../kernel/step.ts';
import { coreTable } from '../runtime/dynamodb.ts';
import { mediaObjects } from '../runtime/s3.ts';
import { ingestExecutions } from '../runtime/stepfunctions.ts';

export const handler = step<StepInput, object>('RemoveMedia', async ({ asset_id }, { tenant, now }) => {
  const table = coreTable(tenant);
  const objects = mediaObjects(tenant);
  // A repeat after the records are gone has nothing to do.
  const asset = await new Assets(table, tenant).get(asset_id).catch(noneFound);
  if (asset === null) return {};
  for (const job of await new Jobs<IngestJob>(table, tenant, 'ingest').list(asset_id)) {
    if (!isTerminal(job.status)) await ingestExecutions().stop(job.job_id, 'The asset was deleted');
  }
  if (asset.upload_id !== null) await objects.abortUpload(sourceKey(tenant, asset_id), asset.upload_id);
  await objects.deleteAll(assetPrefix(tenant, asset_id));
  await new Usage(table, tenant).recordRemoved(asset_id, now());
  return {};
});

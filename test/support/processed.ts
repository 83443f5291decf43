/** An asset during its ingest, without the state machine. */
import { Assets } from '../../lambdas/assets/records/assets.ts';
import type { HeardPiece } from '../../lambdas/ingest/actions/ingest-objects.ts';
import { Jobs } from '../../platform/jobs/job-records.ts';
import { derivedKey } from '../../platform/objects/media-objects.ts';
import type { AssetId, JobId } from '../../shared/ids.ts';
import { newIngestJob } from '../../shared/ingest-jobs.ts';
import type { SoundMap } from '../../shared/sound.ts';
import type { Tenant } from './api.ts';
import { newJobId } from './ids.ts';

/** An asset that a job processes, in the state after finish_upload. */
export async function processed(tenant: Tenant, more: object = {}) {
  const { json: asset } = await tenant.call('POST', '/v1/assets', { filename: 'talk.mp4', ...more });
  const assets = new Assets(tenant.table, tenant.id);
  const uploading = await assets.get(asset.asset_id);
  await assets.beginUpload(uploading, { upload_id: 'upload', upload_parts: 1 }, new Date());
  const upload = { upload_id: 'upload', etags: ['etag'] };
  const job = newIngestJob(newJobId(), asset.asset_id, { upload, now: new Date() });
  await assets.beginProcessing(await assets.get(asset.asset_id), job, new Date());
  const jobs = new Jobs(tenant.table, tenant.id, 'ingest');
  return { id: asset.asset_id as AssetId, job: job.job_id, assets, jobs };
}

/** Stores what the earlier steps of an ingest heard: the map of its sound, and the words of each piece. */
export async function hear(
  { objects, id: tenant }: Tenant,
  { id, job }: { readonly id: AssetId; readonly job: JobId },
  sound: SoundMap,
  pieces: readonly HeardPiece[],
): Promise<void> {
  const write = (stage: 'audio' | 'words', name: string, content: object) =>
    objects.write(
      derivedKey(tenant, id, { step: stage, version: job, name }),
      JSON.stringify(content),
      'application/json',
    );
  await write('audio', 'sound.json', sound);
  for (const [at, piece] of pieces.entries()) await write('words', `${at}.json`, piece);
}

/**
 * Removes what a canceled ingest had made, and gives its upload back: the asset is failed and takes another. Where the
 * asset was deleted, or another job processes it, only what this job alone had made is removed.
 */
import { step } from '../../../platform/kernel/step.ts';
import { publishingTable } from '../../../platform/runtime/publishing.ts';
import { transcription } from '../../../platform/runtime/transcription.ts';
import type { StoredAsset } from '../../../platform/shared/assets.ts';
import type { JobId } from '../../../platform/shared/ids.ts';
import type { IngestJob } from '../../../platform/shared/ingest-jobs.ts';
import { noneFound } from '../../../platform/shared/problems.ts';
import { assetPrefix, sourceKey } from '../../../platform/store/objects.ts';
import { takeBack } from '../../translation/actions/translate.ts';
import { discardAll } from '../../voice-over/actions/cloned-voices.ts';
import { dubFiles } from '../../voice-over/actions/job.ts';
import { forgetAnalyses } from '../actions/analyses.ts';
import { type IngestServices, ingestServices, jobPrefixes, wordsKey } from '../actions/ingest.ts';
import type { IngestInput } from '../actions/steps.ts';
import { canceledEnd } from '../rules/outcomes.ts';

interface Canceled extends IngestInput {
  /** How many pieces were given to the engine. */
  readonly pieces?: number;
}

export const handler = step<Canceled, { quiet: boolean }>(
  'ClearIngest',
  async (input, { tenant, now, newId }) => {
    const services = ingestServices(tenant, publishingTable(tenant));
    const { assets, jobs, objects } = services;
    const { asset_id, job_id } = input;
    const [asset, job] = await Promise.all([
      assets.get(asset_id).catch(noneFound),
      jobs.find(asset_id, job_id),
    ]);
    // The execution that a sweep begins does not know of them.
    const pieces = Math.max(input.pieces ?? 0, job?.parts_planned ?? 0);
    const engine = await transcription();
    const discarded = await Promise.all(
      Array.from({ length: pieces }, (_, piece) => engine.discard?.(wordsKey(tenant, input, piece)) ?? true),
    );
    await discardAll({ asset_id, job_id }, dubFiles(tenant));
    // After the provider was asked: what it wrote before it ended is there by now.
    const isGone = asset === null || asset.status === 'deleting';
    const prefixes = isGone ? [assetPrefix(tenant, asset_id)] : jobPrefixes(tenant, input);
    for (const prefix of prefixes) await objects.abortUploads(prefix);
    for (const prefix of prefixes) await objects.deleteAll(prefix);
    if (asset !== null && job !== null && isOurs(asset, job_id))
      await giveBack(asset, job, { now: now(), newId }, services);
    const quiet = discarded.every(Boolean);
    // What a provider still writes is removed by the next look; until then the job stays with the sweep.
    if (quiet) await jobs.closed(job_id);
    return { quiet };
  },
);

/** An asset that was processed by the job fails as that is canceled; one that has another upload since was cleared before. */
const isOurs = ({ ingest_job_id, status, clearing_job_id }: StoredAsset, jobId: JobId): boolean =>
  ingest_job_id === jobId && (status === 'processing' || clearing_job_id === jobId);

async function giveBack(
  asset: StoredAsset,
  { asset_id, job_id, own }: IngestJob,
  { now, newId }: { readonly now: Date; readonly newId: () => string },
  { assets, objects, transcriptions, usage, tenant }: IngestServices,
): Promise<void> {
  await assets.settle(asset_id, job_id, now, canceledEnd(asset, job_id));
  await objects.abortUpload(sourceKey(tenant, asset_id), own.upload_id);
  await takeBack(job_id, asset_id, { now: () => now, newId }, transcriptions);
  await transcriptions.remove(asset_id, own.transcription_id);
  await assets.relist(asset_id, 'language_id', [], now);
  await forgetAnalyses(asset_id, now, tenant, assets);
  // The machine of the job and the request that canceled it both have this done: who is late must not meet another upload.
  if (!isOurs(await assets.get(asset_id), job_id)) return;
  await objects.deleteAll(assetPrefix(tenant, asset_id));
  await usage.recordRemoved(asset_id, now);
  await assets.cleared(asset_id, job_id, now);
}

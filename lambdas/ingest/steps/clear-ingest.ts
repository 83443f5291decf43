/**
 * Removes what a canceled ingest had made, and gives its upload back: the asset is failed and takes another. Where the
 * asset was deleted, or another job processes it, or this one has failed, only what this job alone had made is removed.
 */

import { step } from '../../../platform/kernel/step.ts';
import { assetPrefix } from '../../../platform/objects/media-objects.ts';
import { publishingTable } from '../../../platform/runtime/publishing.ts';
import { transcription } from '../../../platform/runtime/transcription.ts';
import { defineStep, sampleJob } from '../../../platform/steps/define-step.ts';
import { noneFound } from '../../../shared/problems.ts';
import { discardAll } from '../../voice-over/actions/clone-voices.ts';
import { dubFiles } from '../../voice-over/actions/voice-over-step.ts';
import { removeLateAnalyses } from '../actions/clear-analyses.ts';
import { isProcessedBy, removeResults } from '../actions/clear-results.ts';
import { ingestServices, jobPrefixes, wordsKey } from '../actions/ingest-services.ts';
import type { IngestInput } from '../actions/ingest-step.ts';
import { canceledFields } from '../rules/outcomes.ts';

interface Canceled extends IngestInput {
  /** How many pieces were given to the engine. */
  readonly pieces?: number;
}

export const settings = defineStep<Canceled>({
  name: 'ClearIngest',
  description: 'Removes the files of a canceled ingest',
  memory: 512,
  timeout: 300,
  permissions: {
    tables: { Core: ['check', 'delete', 'get', 'put', 'query', 'update'] },
    admin: true,
    media: ['Read', 'Delete'],
    engines: { transcription: ['discard'], voice_cloning: ['discard'] },
  },
  starts: ['DeliverEvent'],
  event: sampleJob,
});

export const handler = step<Canceled, { quiet: boolean }>(settings, async (input, { tenant, now, newId }) => {
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
  if (!isGone && job?.status === 'failed') await removeLateAnalyses(asset_id, job_id, tenant);
  if (job !== null && isProcessedBy(asset, job)) {
    await assets.settle(asset_id, job_id, now(), canceledFields(asset, job_id));
    await removeResults(job, { now: now(), newId }, services);
    await assets.cleared(asset_id, job_id, now());
  }
  const quiet = discarded.every(Boolean);
  // What a provider still writes is removed by the next look; until then the job stays with the sweep.
  if (quiet) await jobs.close(job_id);
  return { quiet };
});

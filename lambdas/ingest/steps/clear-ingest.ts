/**
 * Removes the results of a canceled ingest. The asset fails and accepts another upload. If the asset was deleted, is
 * processed by another job, or this job failed, removes only objects that this job alone wrote.
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
  /** Number of pieces that the engine received. */
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
  // An execution that the sweep started does not have the number.
  const pieces = Math.max(input.pieces ?? 0, job?.parts_planned ?? 0);
  const engine = await transcription();
  const discarded = await Promise.all(
    Array.from({ length: pieces }, (_, piece) => engine.discard?.(wordsKey(tenant, input, piece)) ?? true),
  );
  await discardAll({ asset_id, job_id }, dubFiles(tenant));
  // Remove objects after the provider was canceled, because it may write until then.
  const isGone = asset === null || asset.status === 'deleting';
  const prefixes = isGone ? [assetPrefix(tenant, asset_id)] : jobPrefixes(tenant, input);
  for (const prefix of prefixes) await objects.abortUploads(prefix);
  for (const prefix of prefixes) await objects.deleteAll(prefix);
  if (!isGone && job?.status === 'failed') await removeLateAnalyses(asset_id, job_id, tenant);
  if (job !== null && isProcessedBy(asset, job)) {
    await assets.settle(input, canceledFields(asset, job_id), now());
    await removeResults(job, { now: now(), newId }, services);
    await assets.cleared(asset_id, job_id, now());
  }
  const quiet = discarded.every(Boolean);
  // The next run removes late objects of a provider. Until then the job stays open for the sweep.
  if (quiet) await jobs.close(job_id);
  return { quiet };
});

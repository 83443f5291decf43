/**
 * Removes the results of a canceled ingest. Then the asset accepts another upload. If the job failed, or another job
 * processes the asset, removes only the objects of this job. If the asset was deleted, removes all objects.
 */
import type { AssetJobInput } from '../../../platform/kernel/job-step.ts';
import { assetPrefix } from '../../../platform/objects/media-objects.ts';
import { publishingTable } from '../../../platform/runtime/publishing.ts';
import { transcription } from '../../../platform/runtime/transcription.ts';
import { defineStep, sampleJob } from '../../../platform/steps/define-step.ts';
import { noneFound } from '../../../shared/problems.ts';
import { discardAll } from '../../voice-over/actions/clone-voices.ts';
import { dubFiles } from '../../voice-over/actions/voice-over-step.ts';
import { foundAnalyses, isProcessedBy, removeResults } from '../actions/clear-results.ts';
import { jobPrefixes, wordsKey } from '../actions/ingest-objects.ts';
import { ingestEndStep } from '../actions/ingest-step.ts';
import { canceledFields } from '../rules/outcomes.ts';

interface Canceled extends AssetJobInput {
  readonly pieces?: number;
}

export const settings = defineStep<Canceled>({
  name: 'ClearIngest',
  description: 'Removes the files of a canceled ingest',
  memory: 512,
  timeout: 300,
  permissions: {
    tables: { Core: ['check', 'delete', 'get', 'put', 'query', 'update'] },
    media: ['Read', 'Delete'],
    engines: { transcription: ['discard'], voice_cloning: ['discard'] },
  },
  publishes: true,
  event: sampleJob,
});

export const handler = ingestEndStep<Canceled, { quiet: boolean }>(
  settings,
  publishingTable,
  async (input, services) => {
    const { assets, jobs, objects, results, tenant, now } = services;
    const { asset_id, job_id } = input;
    const [asset, job] = await Promise.all([
      assets.get(asset_id).catch(noneFound),
      jobs.find(asset_id, job_id),
    ]);
    // The input has no number if the sweep started the execution.
    const pieces = Math.max(input.pieces ?? 0, job?.parts_planned ?? 0);
    const engine = await transcription();
    const discarded = await Promise.all(
      Array.from({ length: pieces }, (_, piece) => engine.discard?.(wordsKey(tenant, input, piece)) ?? true),
    );
    await discardAll(input, dubFiles(tenant));
    // Removes objects after `discard`, because the provider can write objects before `discard`.
    const isGone = asset === null || asset.status === 'deleting';
    const prefixes = isGone ? [assetPrefix(tenant, asset_id)] : jobPrefixes(tenant, input);
    for (const prefix of prefixes) await objects.abortUploads(prefix);
    for (const prefix of prefixes) await objects.deleteAll(prefix);
    // Removes analyses that steps wrote after the job had failed. Analyses of a later job stay.
    if (!isGone && job?.status === 'failed') await results.forgetOf(asset_id, job_id, foundAnalyses);
    if (job !== null && isProcessedBy(asset, job)) {
      await assets.settle(input, canceledFields(asset, job_id), now());
      await removeResults(job, services);
      await assets.cleared(asset_id, job_id, now());
    }
    const quiet = discarded.every(Boolean);
    // If a provider may still write, the job stays open, so that a later run removes the provider's late objects.
    if (quiet) await jobs.close(job_id);
    return { quiet };
  },
);

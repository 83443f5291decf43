/** Marks the asset as ready and its job as succeeded, and meters what was transcribed. */

import { Canceled, unlessCanceled, whenDeleted } from '../../../platform/kernel/step.ts';
import { publishingTable } from '../../../platform/runtime/publishing.ts';
import { ingestRecords } from '../actions/records.ts';
import { type IngestInput, ingestStep } from '../actions/steps.ts';
import { endedOutcomes, itemsOf } from '../rules/outcomes.ts';

interface FinishInput extends IngestInput {
  /** What was extracted; null where the media have no sound. */
  readonly audio?: { readonly duration_ms: number } | null;
}

export const handler = ingestStep<FinishInput, object>(
  'FinishIngest',
  async (input, { tenant, now, job }) => {
    const { assets, jobs, transcriptions, usage } = ingestRecords(tenant, publishingTable(tenant));
    const { asset_id, job_id } = input;
    const made = await transcriptions.list(asset_id);
    const spoken = made.find(({ transcription_id }) => transcription_id === job.own.transcription_id);
    const done = spoken === undefined ? [] : (['transcription', 'word_lists'] as const);
    const outcomes = endedOutcomes(await assets.get(asset_id).catch(whenDeleted), null, done);
    const items = itemsOf(outcomes).map((item) =>
      item.kind === 'transcription' && spoken !== undefined
        ? { ...item, result: { transcription_id: spoken.transcription_id } }
        : item,
    );
    const transcription_ids = made.map(({ transcription_id }) => transcription_id);
    const end = { result: { transcription_ids }, items };
    const ready = { status: 'ready', stage: null, progress: 1, ...outcomes } as const;
    // In one transaction: a job that is canceled meanwhile must not leave an asset that is ready.
    const asset = await assets.settle(asset_id, job_id, now(), ready, async () =>
      unlessCanceled(await jobs.ending(asset_id, job_id, now(), end)),
    );
    if (asset !== null && spoken !== undefined) {
      const { transcription_id } = spoken;
      const quantity = input.audio?.duration_ms ?? asset.duration_ms ?? 0;
      await usage.record({ use_id: transcription_id, meter: 'transcribed_ms', quantity, at: job.created_at });
    }
    // Where the asset is gone, the job ends alone.
    if (!(await jobs.settle(asset_id, job_id, now(), end))) throw new Canceled();
    return {};
  },
);

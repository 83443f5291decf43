/** Marks the asset as ready and its job as succeeded, and meters what was transcribed. */

import { Canceled, whenDeleted } from '../../../platform/kernel/step.ts';
import { publishingTable } from '../../../platform/runtime/publishing.ts';
import { ingestRecords } from '../actions/records.ts';
import { type IngestInput, ingestStep } from '../actions/steps.ts';
import { endedOutcomes, itemsOf } from '../rules/outcomes.ts';

export const handler = ingestStep<IngestInput, object>(
  'FinishIngest',
  async (input, { tenant, now, job }) => {
    const { assets, jobs, transcriptions, usage } = ingestRecords(tenant, publishingTable(tenant));
    const { asset_id, job_id } = input;
    const made = await transcriptions.list(asset_id);
    const spoken = made.find(({ transcription_id }) => transcription_id === job.own.transcription_id);
    const done = spoken === undefined ? [] : (['transcription'] as const);
    const outcomes = endedOutcomes(await assets.get(asset_id).catch(whenDeleted), null, done);
    const ready = { status: 'ready', stage: null, progress: 1, ...outcomes } as const;
    const asset = await assets.settle(asset_id, job_id, now(), ready);
    if (asset !== null && spoken !== undefined) {
      const { transcription_id } = spoken;
      const quantity = asset.duration_ms ?? 0;
      await usage.record({ use_id: transcription_id, meter: 'transcribed_ms', quantity, at: job.created_at });
    }
    const items = itemsOf(outcomes).map((item) =>
      item.kind === 'transcription' && spoken !== undefined
        ? { ...item, result: { transcription_id: spoken.transcription_id } }
        : item,
    );
    const transcription_ids = made.map(({ transcription_id }) => transcription_id);
    const isSettled = await jobs.settle(asset_id, job_id, now(), { result: { transcription_ids }, items });
    if (!isSettled) throw new Canceled();
    return {};
  },
);

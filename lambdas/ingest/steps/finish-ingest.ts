/** Marks the asset as ready and its job as succeeded, and meters what was transcribed. */
import { step } from '../../../platform/kernel/step.ts';
import { type IngestInput, ingestRecords } from '../actions/records.ts';

export const handler = step<IngestInput, object>('FinishIngest', async (input, { tenant, now }) => {
  const { assets, jobs, transcriptions, usage } = ingestRecords(tenant);
  const { asset_id, job_id } = input;
  const made = await transcriptions.list(asset_id);
  const asset = await assets.settle(asset_id, job_id, now(), { status: 'ready', stage: null, progress: 1 });
  const isSpoken = made.some(({ transcription_id }) => transcription_id === job_id);
  if (asset !== null && isSpoken) {
    const { created_at } = await jobs.get(asset_id, job_id);
    const quantity = asset.duration_ms ?? 0;
    await usage.record({ job_id, meter: 'transcribed_ms', quantity, at: created_at });
  }
  await jobs.succeed(asset_id, job_id, now(), {
    transcription_ids: made.map(({ transcription_id }) => transcription_id),
  });
  return {};
});

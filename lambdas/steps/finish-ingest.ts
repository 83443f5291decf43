/** Marks the asset as ready and its job as succeeded. */
import { step } from '../kernel/step.ts';
import { type IngestInput, ingestServices } from './ingest.ts';

export const handler = step<IngestInput, object>('FinishIngest', async (input, { tenant, now }) => {
  const { assets, jobs, transcriptions } = ingestServices(tenant);
  const { asset_id, job_id } = input;
  const made = await transcriptions.list(asset_id);
  await assets.advance(asset_id, job_id, now(), { status: 'ready', stage: null, progress: 1 });
  await jobs.succeed(asset_id, job_id, now(), {
    transcription_ids: made.map(({ transcription_id }) => transcription_id),
  });
  return {};
});

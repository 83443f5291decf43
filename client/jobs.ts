/** Follows jobs until they end. */
import { wait } from './wait.ts';

interface Followed {
  readonly status: string;
}

const open = new Set(['scheduled', 'queued', 'running']);

/**
 * Polls the job until it ends, whether it succeeds, fails or is canceled.
 * @param look requests the job: `() => kinora.getIngestJob({ asset_id, job_id })`
 * @param onLook receives the job after each request
 * @example const job = await uploadAsset(kinora, asset_id, media); const { status, error } = await jobEnd(() => kinora.getIngestJob({
 * asset_id, job_id: job.job_id }));
 */
export async function jobEnd<Job extends Followed>(
  look: () => Promise<Job>,
  onLook: (job: Job) => void | Promise<void> = () => undefined,
  everyMs = 1000,
  signal?: AbortSignal,
): Promise<Job> {
  for (;;) {
    const job = await look();
    await onLook(job);
    if (!open.has(job.status)) return job;
    await wait(everyMs, signal);
    signal?.throwIfAborted();
  }
}

/** Waits for the end of an export while a request may wait. */
import { setTimeout as delay } from 'node:timers/promises';
import { isTerminal } from '../../../shared/jobs.ts';
import type { ExportJob } from '../rules/export-job.ts';
import type { exportJobs } from './export-step.ts';

/** API Gateway waits for 30 s, and a function raises an alarm after 23 of its 29 s. Tests wait less. */
export const patience = { most_ms: 20_000, look_ms: 250 };

/** The job when it has ended, or when the time is up. */
export async function waitForExport(job: ExportJob, jobs: ReturnType<typeof exportJobs>): Promise<ExportJob> {
  const until = performance.now() + patience.most_ms;
  let current = job;
  while (!isTerminal(current.status) && performance.now() < until) {
    await delay(patience.look_ms);
    current = await jobs.get(job.asset_id, job.job_id);
  }
  return current;
}

/** Waits for the end of an export as long as a request may. */
import { setTimeout as delay } from 'node:timers/promises';
import { isTerminal } from '../../../shared/jobs.ts';
import type { ExportJob } from '../rules/export-job.ts';
import type { exportJobs } from './export-step.ts';

/** API Gateway waits for 30 s, and a function that takes more than 23 of its 29 raises an alarm. Tests have less. */
export const patience = { most_ms: 20_000, look_ms: 250 };

/** The job as it stands when it has ended, or when nobody can wait any longer. */
export async function waitForExport(job: ExportJob, jobs: ReturnType<typeof exportJobs>): Promise<ExportJob> {
  const until = performance.now() + patience.most_ms;
  let current = job;
  while (!isTerminal(current.status) && performance.now() < until) {
    await delay(patience.look_ms);
    current = await jobs.get(job.asset_id, job.job_id);
  }
  return current;
}

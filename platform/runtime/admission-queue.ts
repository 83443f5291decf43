/** The admission queue of this environment. */

import { isTerminal } from '../../shared/jobs.ts';
import { FairQueue } from '../admission/fair-queue.ts';
import {
  type AdmissionQueue,
  type JobOfTenant,
  unboundedQueue,
  type WaitingJob,
} from '../admission/queue.ts';
import { AllJobs } from '../jobs/job-records.ts';
import { coreTable, queueTable } from './dynamodb.ts';
import { environment } from './environment.ts';
import { describeError, log } from './log.ts';
import { executionsOf } from './stepfunctions.ts';
import { traceHeader } from './trace.ts';

export function admissionQueue(): AdmissionQueue {
  const { capacity } = environment;
  if (capacity === null) return unboundedQueue(start);
  const queue = new FairQueue({ table: queueTable(failed), capacity, hasEnded, start, failed });
  return {
    startOrEnqueue: (job) => queue.startOrEnqueue({ ...job, trace_header: traceHeader() }),
    startNext: () => queue.startNext(),
    positions: () => queue.positions(),
    fullestProvider: () => queue.fullestProvider(),
  };
}

const start = ({ machine, job_id, input, trace_header }: WaitingJob) =>
  executionsOf(machine).start(job_id, input, trace_header);

const failed = (entry: string, error: unknown) =>
  log('error', 'not admitted', { entry, ...describeError(error) });

async function hasEnded({ tenant, job_id }: JobOfTenant): Promise<boolean> {
  const job = await new AllJobs(coreTable(tenant), tenant).find(job_id);
  return job === null || isTerminal(job.status);
}

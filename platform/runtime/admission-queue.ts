/** The admission queue of this environment, and the services with which requests reserve, record and start a job. */
import type { TenantId } from '../../shared/ids.ts';
import { isTerminal } from '../../shared/jobs.ts';
import { FairQueue } from '../admission/fair-queue.ts';
import {
  type AdmissionQueue,
  type JobOfTenant,
  unboundedQueue,
  type WaitingJob,
} from '../admission/queue.ts';
import type { JobStart } from '../admission/start-job.ts';
import { AllJobs } from '../jobs/job-records.ts';
import type { TenantTable } from '../table/tenant-table.ts';
import { coreTable, queueTable } from './dynamodb.ts';
import { environment } from './environment.ts';
import { describeError, log, traceHeader } from './log.ts';
import { reservationsOf } from './reserve-in-step.ts';
import { executionsOf } from './stepfunctions.ts';
import { usageOf } from './usage.ts';

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

/** @param table a table that publishes events */
export function jobStartIn(table: TenantTable, tenant: TenantId) {
  const all = new AllJobs(table, tenant);
  const usage = usageOf(table, tenant);
  const reservations = reservationsOf(table, tenant);
  const start: JobStart = { table, tenant, reservations, queue: admissionQueue() };
  return { ...start, all, usage };
}

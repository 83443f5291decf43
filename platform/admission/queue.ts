/**
 * The port of the queue that admits recorded jobs: it starts each job once there is capacity for it, and tenants take
 * turns. Today the queue is in DynamoDB (fair-queue.ts). SQS fair queues can replace it without other changes.
 */
import type { JobId, TenantId } from '../../shared/ids.ts';
import type { StartingJob } from './capacity.ts';

export interface JobOfTenant {
  readonly tenant: TenantId;
  readonly job_id: JobId;
}

export interface WaitingJob extends JobOfTenant, StartingJob {
  /** X-Ray header of the request that created the job. Its execution continues that trace. */
  readonly trace_header?: string | undefined;
}

export interface PoolUse {
  /** Name of the pool. It is the name of the provider's quota: `pollyPerSecond`. */
  readonly pool: string;
  readonly percent: number;
}

export interface AdmissionQueue {
  /** Starts the job if there is capacity and no other job comes first. Otherwise adds the job to the queue. A repeat has no effect. */
  startOrEnqueue(job: WaitingJob): Promise<void>;
  /** Frees the capacity of jobs that have ended, and starts the jobs that come next. @returns the number of started jobs */
  startNext(): Promise<number>;
  /** The positions of all queued jobs, from 1. */
  positions(): Promise<ReadonlyMap<JobId, number>>;
  /** The provider pool with the highest use. Null if no provider allows fewer jobs than the environment. */
  fullestProvider(): Promise<PoolUse | null>;
}

/** The queue of an environment without limits, such as a laptop: every job starts at once. */
export const unboundedQueue = (start: (job: WaitingJob) => Promise<void>): AdmissionQueue => ({
  startOrEnqueue: start,
  startNext: async () => 0,
  positions: async () => new Map(),
  fullestProvider: async () => null,
});

/**
 * The admission queue in DynamoDB. No caller releases a place. The end of any execution, and the sweep, check which
 * admitted jobs have ended. See docs/decisions/0058 and 0065.
 */
import type { JobId } from '../../shared/ids.ts';
import type { EntryFailed } from '../../shared/parse.ts';
import { type Capacity, poolsOf } from './capacity.ts';
import { fairOrder, positionsIn } from './fair-order.ts';
import type { AdmissionQueue, JobOfTenant, PoolUse, WaitingJob } from './queue.ts';
import type { AdmittedJob, QueueTable } from './queue-table.ts';

export interface FairQueueServices {
  readonly table: QueueTable;
  readonly capacity: Capacity;
  /** Whether the job has ended or was deleted. */
  readonly hasEnded: (job: JobOfTenant) => Promise<boolean>;
  /** Starts the execution of the job. A repeat has no effect. */
  readonly start: (job: WaitingJob) => Promise<void>;
  /** Called for a job that could not be read or started. The jobs of others still start. */
  readonly failed: EntryFailed;
}

export class FairQueue implements AdmissionQueue {
  readonly #table: QueueTable;
  readonly #capacity: Capacity;
  readonly #hasEnded: FairQueueServices['hasEnded'];
  readonly #start: FairQueueServices['start'];
  readonly #failed: EntryFailed;

  constructor({ table, capacity, hasEnded, start, failed }: FairQueueServices) {
    this.#table = table;
    this.#capacity = capacity;
    this.#hasEnded = hasEnded;
    this.#start = start;
    this.#failed = failed;
  }

  async startOrEnqueue(job: WaitingJob): Promise<void> {
    const [admitted, waiting] = await this.#read();
    // The sweep may ask again for a queued job. The job keeps the trace of its first request.
    const queued = waiting.find(isSame(job));
    const all = queued ? waiting : [...waiting, job];
    const isNext = admitted.some(isSame(job)) || this.#nextOf(admitted, all).some(isSame(job));
    if (isNext && (await this.#table.admit(job, poolsOf(job, this.#capacity))))
      await this.#start(queued ?? job);
    else await this.#table.enqueue(job);
  }

  async startNext(): Promise<number> {
    let [admitted, waiting]: readonly [AdmittedJob[], WaitingJob[]] = await this.#read();
    // A job whose record cannot be read keeps its place.
    const over = await Promise.all(admitted.map((job) => this.#attempt(job, () => this.#hasEnded(job))));
    const ended = admitted.filter((_, at) => over[at]);
    admitted = admitted.filter((_, at) => !over[at]);
    // Releases places even if no job waits: the next request then finds them free.
    await this.#table.release(ended);
    let started = 0;
    // A job that ended while it waited leaves the queue and takes no place. The loop then runs again, so that the next
    // job gets the place.
    for (let hasLeft = true; hasLeft; ) {
      hasLeft = false;
      const begun = waiting.filter((job) => admitted.some(isSame(job)));
      for (const job of [...begun, ...this.#nextOf(admitted, waiting, ended)]) {
        const isOver = await this.#attempt(job, () => this.#hasEnded(job));
        const pools = poolsOf(job, this.#capacity);
        if (isOver === false && !(await this.#table.admit(job, pools))) continue;
        const isStarted =
          isOver === false && (await this.#attempt(job, () => this.#start(job).then(() => true)));
        // After the start: if the process dies before it, the job is still queued and is started again. So is a job that failed.
        if (isOver || isStarted) await this.#table.dequeue(job);
        waiting = waiting.filter((other) => other !== job);
        hasLeft ||= isOver !== false;
        started += Number(isStarted === true);
        if (isOver === false) admitted = [...admitted, { ...job, pools: Object.keys(pools) }];
      }
    }
    return started;
  }

  async positions(): Promise<ReadonlyMap<JobId, number>> {
    const [admitted, waiting] = await this.#read();
    const order = fairOrder(admitted, this.#queued(admitted, waiting));
    const positions = positionsIn(order);
    // A job that can start now starts at the next look at the queue, so its position is 1.
    return new Map(order.map(({ job }) => [job.job_id, positions.get(job) ?? 1]));
  }

  /** Ignores providers with a place for every job that may run at all: they never run short before the pool of all jobs does. */
  async fullestProvider(): Promise<PoolUse | null> {
    const admitted = await this.#table.admitted();
    const { jobs, providers } = this.#capacity;
    const shares = Object.entries(providers)
      .filter(([, { most }]) => most < jobs)
      .map(([pool, { most }]) => {
        const taken = admitted.filter(({ pools }) => pools.includes(pool)).length;
        return { pool, percent: Math.round((100 * taken) / most) };
      });
    const [fullest] = shares.sort((one, other) => other.percent - one.percent);
    return fullest === undefined || fullest.percent === 0 ? null : fullest;
  }

  /** Null if it failed. */
  async #attempt<Result>({ job_id }: JobOfTenant, work: () => Promise<Result>): Promise<Result | null> {
    try {
      return await work();
    } catch (error) {
      this.#failed(job_id, error);
      return null;
    }
  }

  async #read() {
    const admitted = await this.#table.admitted();
    return [admitted, await this.#table.waiting(admitted)] as const;
  }

  /** The waiting jobs, except admitted jobs that are about to leave the queue. */
  #queued(admitted: readonly AdmittedJob[], waiting: readonly WaitingJob[]) {
    const ids = new Set(admitted.map(({ job_id }) => job_id));
    return waiting
      .filter(({ job_id }) => !ids.has(job_id))
      .map((job) => ({ job, job_id: job.job_id, tenant: job.tenant, places: poolsOf(job, this.#capacity) }));
  }

  #nextOf(
    admitted: readonly AdmittedJob[],
    waiting: readonly WaitingJob[],
    ended: readonly AdmittedJob[] = [],
  ): WaitingJob[] {
    const order = fairOrder(admitted, this.#queued(admitted, waiting), ended);
    return order.filter(({ full }) => full.length === 0).map(({ job }) => job.job);
  }
}

const isSame =
  ({ job_id }: JobOfTenant) =>
  (other: JobOfTenant) =>
    other.job_id === job_id;

/**
 * The admission queue in DynamoDB. Callers do not release places. Instead, the queue checks which admitted jobs have
 * ended, after each execution and in each sweep. See docs/decisions/0058 and 0065.
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
  /** Called for a job that could not be read or started. The other jobs still start. */
  readonly failed: EntryFailed;
}

export class FairQueue implements AdmissionQueue {
  readonly #services: FairQueueServices;

  constructor(services: FairQueueServices) {
    this.#services = services;
  }

  async startOrEnqueue(job: WaitingJob): Promise<void> {
    const [admitted, waiting] = await this.#read();
    // The sweep may queue a job again. The job keeps the trace of its first request.
    const queued = waiting.find(isSame(job));
    const all = queued ? waiting : [...waiting, job];
    const isNext = admitted.some(isSame(job)) || this.#nextOf(admitted, all).some(isSame(job));
    if (isNext && (await this.#services.table.admit(job, poolsOf(job, this.#services.capacity))))
      await this.#services.start(queued ?? job);
    else await this.#services.table.enqueue(job);
  }

  async startNext(): Promise<number> {
    let [admitted, waiting]: readonly [AdmittedJob[], WaitingJob[]] = await this.#read();
    // A job whose record cannot be read keeps its place.
    const over = await Promise.all(
      admitted.map((job) => this.#attempt(job, () => this.#services.hasEnded(job))),
    );
    const ended = admitted.filter((_, at) => over[at]);
    admitted = admitted.filter((_, at) => !over[at]);
    // Releases places even if no job waits: the next request then finds them free.
    await this.#services.table.release(ended);
    let started = 0;
    // A job that ended while it waited leaves the queue and takes no place. The loop then runs again, so that the next
    // job gets the place.
    for (let hasLeft = true; hasLeft; ) {
      hasLeft = false;
      const admittedBefore = waiting.filter((job) => admitted.some(isSame(job)));
      for (const job of [...admittedBefore, ...this.#nextOf(admitted, waiting, ended)]) {
        const isOver = await this.#attempt(job, () => this.#services.hasEnded(job));
        const pools = poolsOf(job, this.#services.capacity);
        if (isOver === false && !(await this.#services.table.admit(job, pools))) continue;
        const isStarted =
          isOver === false && (await this.#attempt(job, () => this.#services.start(job).then(() => true)));
        // The job leaves the queue only after its start. If the process dies earlier, or the start fails, a later run
        // starts the job.
        if (isOver || isStarted) await this.#services.table.dequeue(job);
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
    // A job that can start now starts when the queue is next examined, so its position is 1.
    return new Map(order.map(({ job }) => [job.job_id, positions.get(job) ?? 1]));
  }

  /** Ignores providers with as many places as the pool of all jobs: the pool of all jobs always fills first. */
  async fullestProvider(): Promise<PoolUse | null> {
    const admitted = await this.#services.table.admitted();
    const { jobs, providers } = this.#services.capacity;
    const shares = Object.entries(providers)
      .filter(([, { most }]) => most < jobs)
      .map(([pool, { most }]) => {
        const taken = admitted.filter(({ pools }) => pools.includes(pool)).length;
        return { pool, percent: Math.round((100 * taken) / most) };
      });
    const [fullest] = shares.sort((one, other) => other.percent - one.percent);
    return fullest === undefined || fullest.percent === 0 ? null : fullest;
  }

  /** The result of `work`. If `work` fails, reports the error and returns null. */
  async #attempt<Result>({ job_id }: JobOfTenant, work: () => Promise<Result>): Promise<Result | null> {
    try {
      return await work();
    } catch (error) {
      this.#services.failed(job_id, error);
      return null;
    }
  }

  async #read() {
    const admitted = await this.#services.table.admitted();
    return [admitted, await this.#services.table.waiting(admitted)] as const;
  }

  /** The waiting jobs, except admitted jobs that are about to leave the queue. */
  #queued(admitted: readonly AdmittedJob[], waiting: readonly WaitingJob[]) {
    const ids = new Set(admitted.map(({ job_id }) => job_id));
    return waiting
      .filter(({ job_id }) => !ids.has(job_id))
      .map((job) => ({
        job,
        job_id: job.job_id,
        tenant: job.tenant,
        places: poolsOf(job, this.#services.capacity),
      }));
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

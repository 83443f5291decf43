/**
 * Jobs in the Core table. Each is in the partition of its owner. Index entries find the job by its id. The open entry
 * of a job stays until the job is settled. Conditions make sure that progress never falls and that a terminal state
 * never changes.
 */
import type { JobFailure } from '../../shared/assets.ts';
import type { AssetId, JobId, TenantId } from '../../shared/ids.ts';
import {
  canceledFailure,
  endOf,
  type Forecast,
  isTerminal,
  type JobItem,
  type JobResult,
  type JobType,
  type JobViewOf,
  jobView,
  type StoredJob,
  terminalStates,
} from '../../shared/jobs.ts';
import { InvalidState, NotFound } from '../../shared/problems.ts';
import { published } from '../outbox/event-log.ts';
import { jobEvent } from '../outbox/events.ts';
import { type PageOfIds, type Position, pageOfIds } from '../table/id-pages.ts';
import { absent, assetPartition, facetKey, jobKey, jobsPrefix, openJobKey, present } from '../table/keys.ts';
import { retryOnConflict } from '../table/retry-on-conflict.ts';
import { buildUpdate, type Key, type Values } from '../table/table.ts';
import type { TenantTable, Write } from '../table/tenant-table.ts';
import { type Branches, type BranchState, reachBranch } from './branch-progress.ts';
import {
  advancePart,
  type Counted,
  completePart,
  type Part,
  type PartKind,
  planOf,
} from './part-progress.ts';

/** Condition: the job exists and has not ended. Without it, UpdateItem would recreate a deleted job. */
const open = [present, ...terminalStates.map((_, at) => `#status <> :t${at}`)].join(' AND ');
const terminalValues = Object.fromEntries(terminalStates.map((state, at) => [`t${at}`, state]));

/** The maximum number of attempts to end a job while other requests change it. */
const SETTLE_ATTEMPTS = 8;

export type JobEnd<Type extends JobType> =
  | { readonly status: 'failed'; readonly error: JobFailure; readonly items?: readonly JobItem<Type>[] }
  | { readonly result: JobResult<Type>; readonly items?: readonly JobItem<Type>[] };

/** The key of a job, as index entries store it. */
export interface JobPointer {
  readonly job_pk: string;
  readonly job_sk: string;
}

/** An open entry, which the sweep reads. It exists until the job is settled. */
export interface OpenJob extends JobPointer {
  readonly tenant: TenantId;
}

function listsOf(job: JobViewOf<JobType>): string[] {
  const ofAsset = 'asset_id' in job ? [`jobs#asset#${job.asset_id}`] : [];
  return ['jobs', `jobs#type#${job.type}`, ...ofAsset];
}

/** The writes that record a queued job. They belong to the transaction of the change that creates the job. */
export function writesOfNewJob(tenant: TenantId, partition: string, job: StoredJob, now: Date): Write[] {
  const key = jobKey(partition, job.type, job.job_id);
  const pointer = { job_pk: key.pk, job_sk: key.sk };
  return [
    { put: { ...key, ...job }, condition: absent },
    ...listsOf(job).map((list) => ({ put: { ...facetKey(tenant, list, job.job_id), ...pointer } })),
    { announce: { ...openJobKey(job.job_id), ...pointer } },
    ...published(tenant, jobEvent('job.created', now, jobView(job))),
  ];
}

export function writesOfDeletedJob(tenant: TenantId, job: StoredJob & Key): Write[] {
  return [
    { delete: { pk: job.pk, sk: job.sk } },
    ...listsOf(job).map((list) => ({ delete: facetKey(tenant, list, job.job_id) })),
    { withdraw: openJobKey(job.job_id) },
  ];
}

/**
 * The partition of jobs whose owners are assets, which is the default. The cast is safe because `Owner` is then an
 * asset id.
 */
const partitionOfAsset = assetPartition as (tenant: TenantId, owner: string) => string;

/** The jobs of one kind. The owners are assets, unless `Owner` and `partitionOf` specify others. */
export class Jobs<Type extends JobType, Own = object, Owner extends string = AssetId> {
  readonly #table: TenantTable;
  readonly #tenant: TenantId;
  readonly #type: Type;
  readonly #partitionOf: (tenant: TenantId, owner: Owner) => string;

  /** @param partitionOf the partition of an owner's jobs; by default that of an asset */
  constructor(
    table: TenantTable,
    tenant: TenantId,
    type: Type,
    partitionOf: (tenant: TenantId, owner: Owner) => string = partitionOfAsset,
  ) {
    this.#table = table;
    this.#tenant = tenant;
    this.#type = type;
    this.#partitionOf = partitionOf;
  }

  #key(owner: Owner, jobId: JobId): Key {
    return jobKey(this.#partitionOf(this.#tenant, owner), this.#type, jobId);
  }

  writesOfNew(owner: Owner, job: StoredJob<Type, Own>, now: Date): Write[] {
    return writesOfNewJob(this.#tenant, this.#partitionOf(this.#tenant, owner), job as StoredJob, now);
  }

  find(owner: Owner, jobId: JobId): Promise<StoredJob<Type, Own> | null> {
    return this.#table.get<StoredJob<Type, Own>>(this.#key(owner, jobId));
  }

  async get(owner: Owner, jobId: JobId): Promise<StoredJob<Type, Own>> {
    const found = await this.find(owner, jobId);
    if (found === null) throw new NotFound('job', jobId);
    return found;
  }

  list(owner: Owner): Promise<StoredJob<Type, Own>[]> {
    return this.#table.queryAll<StoredJob<Type, Own>>({
      pk: this.#partitionOf(this.#tenant, owner),
      beginsWith: jobsPrefix(this.#type),
      newestFirst: true,
    });
  }

  /** Marks the job as running. A job that already runs or ended stays as it is. */
  async begin(owner: Owner, jobId: JobId, now: Date): Promise<void> {
    const running = { status: 'running', started_at: now.toISOString() };
    await this.#update(owner, jobId, {
      set: running,
      condition: '#status = :queued',
      values: { queued: 'queued' },
    });
  }

  /** Raises the progress to `fraction` (0 to 1), and stores `along` with it. With a lower fraction, stores nothing. */
  async advance(owner: Owner, jobId: JobId, fraction: number, along: Forecast = {}): Promise<void> {
    const isMore = `#progress < :set_progress AND ${open}`;
    await this.#update(owner, jobId, {
      set: { ...along, progress: fraction },
      condition: isMore,
      values: terminalValues,
    });
  }

  /** Stores the items that the job works on in parallel. */
  async plan(owner: Owner, jobId: JobId, items: readonly JobItem<Type>[]): Promise<void> {
    await this.#update(owner, jobId, { set: { items }, condition: open, values: terminalValues });
  }

  /** Stores data of this kind of job, so that a step can continue where another one stopped. False if the job has ended. */
  keep(owner: Owner, jobId: JobId, own: Own): Promise<boolean> {
    return this.#update(owner, jobId, { set: { own }, condition: open, values: terminalValues });
  }

  /** Stores the progress of the item at this index. A lower progress than the stored one has no effect. */
  async advanceItem(owner: Owner, jobId: JobId, at: number, progress: number): Promise<void> {
    const item = `#items[${Math.floor(at)}]`;
    await this.#table.tryUpdate({
      key: this.#key(owner, jobId),
      expression: `SET ${item}.#progress = :progress, ${item}.#status = :running`,
      names: { '#items': 'items', '#progress': 'progress', '#status': 'status' },
      values: { progress, running: 'running', ...terminalValues },
      condition: `${open} AND ${item}.#progress <= :progress`,
    });
  }

  /** Stores the sizes of the parts, for the steps that work on them and for the cleanup. */
  async planParts(
    owner: Owner,
    jobId: JobId,
    sizes: readonly number[],
    kind: PartKind = 'part',
  ): Promise<void> {
    await this.#update(owner, jobId, { set: planOf(sizes, kind), condition: open, values: terminalValues });
  }

  /** Stores the progress of a part, 0 to 1. A lower progress than the stored one has no effect. */
  advancePart(
    owner: Owner,
    jobId: JobId,
    {
      part,
      fraction,
      kind = 'part',
    }: { readonly part: Part; readonly fraction: number; readonly kind?: PartKind | undefined },
  ): Promise<Counted> {
    return advancePart(this.#table, this.#key(owner, jobId), { kind, part, fraction });
  }

  /** Marks a part as done. A repeat has no effect. */
  completePart(owner: Owner, jobId: JobId, part: Part, kind: PartKind = 'part'): Promise<Counted> {
    return completePart(this.#table, this.#key(owner, jobId), kind, part);
  }

  /** Stores the progress of one branch, and returns the progress of all branches. */
  reachBranch(owner: Owner, jobId: JobId, name: string, state: BranchState): Promise<Branches> {
    return reachBranch(this.#table, this.#key(owner, jobId), name, state);
  }

  /**
   * Settles the job and publishes the event, in one transaction. The sweep then ignores the job. A job that has ended
   * does not change. Returns false if the job was canceled: the sweep then makes sure that its results are removed.
   * @param alongside makes writes for the same transaction; called at each attempt
   */
  settle(
    owner: Owner,
    jobId: JobId,
    {
      now,
      end,
      alongside = async () => [],
      attempts = SETTLE_ATTEMPTS,
    }: {
      readonly now: Date;
      readonly end: JobEnd<Type>;
      readonly alongside?: (() => Promise<readonly Write[]>) | undefined;
      readonly attempts?: number | undefined;
    },
  ): Promise<boolean> {
    return retryOnConflict({ kind: 'job', id: jobId, attempts }, async () => {
      const current = await this.find(owner, jobId);
      if (current?.status === 'canceled') return false;
      const isOpen = current !== null && !isTerminal(current.status);
      if (isOpen)
        await this.#table.transact([...this.#writesOfEnd(owner, current, now, end), ...(await alongside())]);
      else await this.close(jobId);
      return true;
    });
  }

  /**
   * The writes that end the job, for the transaction that ends its owner's work. Empty if the job has ended. Null if it
   * was canceled.
   */
  async writesOfEnd(owner: Owner, jobId: JobId, now: Date, end: JobEnd<Type>): Promise<Write[] | null> {
    const current = await this.find(owner, jobId);
    if (current?.status === 'canceled') return null;
    return current === null || isTerminal(current.status) ? [] : this.#writesOfEnd(owner, current, now, end);
  }

  #writesOfEnd(owner: Owner, current: StoredJob<Type, Own>, now: Date, end: JobEnd<Type>): Write[] {
    const items = end.items ?? current.items;
    const fields =
      'error' in end
        ? { items, status: end.status, error: end.error }
        : { items, status: endOf(items), progress: 1, result: end.result };
    const stored = { ...current, ...this.#key(owner, current.job_id) } as StoredJob & Key;
    return [...endWrites(this.#tenant, stored, fields, now), { withdraw: openJobKey(current.job_id) }];
  }

  /** Removes the open entry of a job for which nothing is left to do. The sweep then ignores the job. */
  close(jobId: JobId): Promise<void> {
    return close(this.#table, jobId);
  }

  /** Changes the job. Returns false if the condition fails: the change was made before, or is no longer allowed. */
  async #update(
    owner: Owner,
    jobId: JobId,
    { set, condition, values }: { readonly set: Values; readonly condition: string; readonly values: Values },
  ): Promise<boolean> {
    const update = buildUpdate(this.#key(owner, jobId), set, { condition, values });
    return (await this.#table.tryUpdate(update)).isDone;
  }
}

/** Jobs of all kinds, found only by their ids. */
export class AllJobs {
  readonly #table: TenantTable;
  readonly #tenant: TenantId;

  constructor(table: TenantTable, tenant: TenantId) {
    this.#table = table;
    this.#tenant = tenant;
  }

  async find(jobId: JobId): Promise<(StoredJob & Key) | null> {
    const pointer = await this.#table.get<JobPointer>(facetKey(this.#tenant, 'jobs', jobId));
    return pointer && this.at(pointer);
  }

  async get(jobId: JobId): Promise<StoredJob & Key> {
    const found = await this.find(jobId);
    if (found === null) throw new NotFound('job', jobId);
    return found;
  }

  ofAsset(assetId: AssetId): Promise<StoredJob[]> {
    const pk = assetPartition(this.#tenant, assetId);
    return this.#table.queryAll<StoredJob>({ pk, beginsWith: jobsPrefix() });
  }

  at({ job_pk, job_sk }: JobPointer): Promise<(StoredJob & Key) | null> {
    return this.#table.get<StoredJob>({ pk: job_pk, sk: job_sk });
  }

  page(lists: readonly string[], position: Position, size: number): Promise<PageOfIds> {
    return pageOfIds(this.#table, this.#tenant, { facets: lists, position, size });
  }

  /** The jobs with these ids that still exist, in this order. */
  async getMany(jobIds: readonly JobId[]): Promise<StoredJob[]> {
    const pointers = await this.#table.getAll<JobPointer>(
      jobIds.map((jobId) => facetKey(this.#tenant, 'jobs', jobId)),
    );
    return this.#table.getAll<StoredJob>(pointers.map(({ job_pk, job_sk }) => ({ pk: job_pk, sk: job_sk })));
  }

  /**
   * Ends the job without a result and publishes the event. The job's machine notices, stops, and removes the results. The
   * job keeps its open entry until then. Canceling again has no effect. Throws InvalidState if the job succeeded or
   * failed.
   * @param alongside makes writes for the same transaction; called at each attempt
   */
  cancel(
    jobId: JobId,
    now: Date,
    alongside: (job: StoredJob) => Promise<readonly Write[]> = async () => [],
  ): Promise<StoredJob> {
    return retryOnConflict({ kind: 'job', id: jobId, attempts: SETTLE_ATTEMPTS }, async () => {
      const job = await this.get(jobId);
      if (job.status === 'canceled') return job;
      if (isTerminal(job.status))
        throw new InvalidState(`The job is ${job.status}: only a queued or running job can be canceled.`);
      const fields = {
        status: 'canceled' as const,
        error: canceledFailure,
        items: job.items.map((item) =>
          isTerminal(item.status) ? item : { ...item, status: 'canceled' as const, error: canceledFailure },
        ),
      };
      await this.#table.transact([...endWrites(this.#tenant, job, fields, now), ...(await alongside(job))]);
      return { ...job, ...fields, estimated_ready_at: null, finished_at: now.toISOString() } as StoredJob;
    });
  }

  /** Removes the open entry of a job that was deleted, or for which nothing is left to do. */
  close(jobId: JobId): Promise<void> {
    return close(this.#table, jobId);
  }
}

/** The writes that end a job and publish the event. The transaction is refused if the job has ended. */
function endWrites(
  tenant: TenantId,
  job: StoredJob & Key,
  fields: Readonly<Record<string, unknown>> & {
    readonly status: 'succeeded' | 'partially_succeeded' | 'failed' | 'canceled';
  },
  now: Date,
): Write[] {
  const set = { ...fields, estimated_ready_at: null, finished_at: now.toISOString() };
  const update = buildUpdate({ pk: job.pk, sk: job.sk }, set, { condition: open, values: terminalValues });
  const event = jobEvent(`job.${fields.status}`, now, jobView({ ...job, ...set } as StoredJob));
  return [{ update }, ...published(tenant, event)];
}

const close = (table: TenantTable, jobId: JobId): Promise<void> =>
  table.transact([{ withdraw: openJobKey(jobId) }]);

/**
 * Jobs in the Core table: each in the partition of what it works on, with entries that find it by its id alone, and
 * one that has it swept until it is settled. Progress never falls, and a terminal state never changes: conditions
 * see to both.
 */

import type { JobFailure } from '../../shared/assets.ts';
import type { AssetId, JobId } from '../../shared/ids.ts';
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
import type { TenantId } from '../../shared/tenant.ts';
import { published } from '../outbox/event-log.ts';
import { jobEvent } from '../outbox/events.ts';
import { openJobKey } from '../table/admin-keys.ts';
import { type PageOfIds, type Position, pageOfIds } from '../table/id-pages.ts';
import { absent, assetPartition, facetKey, jobKey, jobsPrefix, present } from '../table/keys.ts';
import { retrying } from '../table/retry-on-conflict.ts';
import {
  ConditionFailed,
  type Key,
  type TenantTable,
  type Values,
  type Write,
} from '../table/tenant-table.ts';
import { changing } from '../table/update-expression.ts';
import { type Branches, type BranchState, reachBranch } from './branch-progress.ts';
import {
  advancePart,
  type Counted,
  completePart,
  type Part,
  type PartKind,
  planOf,
} from './part-progress.ts';

/** A job that is there and has not ended: an update would make an item of one that is gone. */
const open = [present, ...terminalStates.map((_, at) => `#status <> :t${at}`)].join(' AND ');
const terminalValues = Object.fromEntries(terminalStates.map((state, at) => [`t${at}`, state]));

/** How often the end of a job is tried that meets other changes of it. */
const SETTLE_ATTEMPTS = 8;

/** What a job ends with. */
export type JobEnd<Type extends JobType> =
  | { readonly status: 'failed'; readonly error: JobFailure; readonly items?: readonly JobItem<Type>[] }
  | { readonly result: JobResult<Type>; readonly items?: readonly JobItem<Type>[] };

/** Where a job is, as its entries tell. */
export interface JobPointer {
  readonly job_pk: string;
  readonly job_sk: string;
}

/** What has a job swept until it is settled. */
export interface OpenJob extends JobPointer {
  readonly tenant: TenantId;
}

/** Lists that a job stands in: all, those of its kind, and those of its asset. */
function listsOf(job: JobViewOf<JobType>): string[] {
  const ofAsset = 'asset_id' in job ? [`jobs#asset#${job.asset_id}`] : [];
  return ['jobs', `jobs#type#${job.type}`, ...ofAsset];
}

/** Writes that record a queued job; they belong into the transaction of the change that asks for it. */
export function recorded(tenant: TenantId, partition: string, job: StoredJob, now: Date): Write[] {
  const key = jobKey(partition, job.type, job.job_id);
  const pointer = { job_pk: key.pk, job_sk: key.sk };
  return [
    { put: { ...key, ...job }, condition: absent },
    ...listsOf(job).map((list) => ({ put: { ...facetKey(tenant, list, job.job_id), ...pointer } })),
    { announce: { ...openJobKey(job.job_id), ...pointer } },
    ...published(tenant, jobEvent('job.created', now, jobView(job))),
  ];
}

/** Writes that remove a job and all that leads to it. */
export function forgotten(tenant: TenantId, job: StoredJob & Key): Write[] {
  return [
    { delete: { pk: job.pk, sk: job.sk } },
    ...listsOf(job).map((list) => ({ delete: facetKey(tenant, list, job.job_id) })),
    { withdraw: openJobKey(job.job_id) },
  ];
}

/** Where jobs are whose owners are assets: the default, where the compiler cannot see that `Owner` is one. */
const partitionOfAsset = assetPartition as (tenant: TenantId, owner: string) => string;

/** The jobs of one kind. Their owners are assets, unless `Owner` and `partitionOf` say otherwise. */
export class Jobs<Type extends JobType, Own = object, Owner extends string = AssetId> {
  readonly #table: TenantTable;
  readonly #tenant: TenantId;
  readonly #type: Type;
  readonly #partitionOf: (tenant: TenantId, owner: Owner) => string;

  /** @param partitionOf where the jobs of an owner are: those of an asset when absent */
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

  /** Writes that record a queued job of that owner. */
  recorded(owner: Owner, job: StoredJob<Type, Own>, now: Date): Write[] {
    return recorded(this.#tenant, this.#partitionOf(this.#tenant, owner), job as StoredJob, now);
  }

  find(owner: Owner, jobId: JobId): Promise<StoredJob<Type, Own> | null> {
    return this.#table.get<StoredJob<Type, Own>>(this.#key(owner, jobId));
  }

  async get(owner: Owner, jobId: JobId): Promise<StoredJob<Type, Own>> {
    const found = await this.find(owner, jobId);
    if (found === null) throw new NotFound('job', jobId);
    return found;
  }

  /** All jobs of an owner, newest first. */
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
    await this.#update(owner, jobId, running, '#status = :queued', { queued: 'queued' });
  }

  /** Raises the progress to `fraction` (0 to 1); a lower one is ignored, with what goes along with it. */
  async advance(owner: Owner, jobId: JobId, fraction: number, along: Forecast = {}): Promise<void> {
    const isMore = `#progress < :set_progress AND ${open}`;
    await this.#update(owner, jobId, { ...along, progress: fraction }, isMore, terminalValues);
  }

  /** Says what the job does side by side. */
  async plan(owner: Owner, jobId: JobId, items: readonly JobItem<Type>[]): Promise<void> {
    await this.#update(owner, jobId, { items }, open, terminalValues);
  }

  /**
   * Keeps what only this kind's own code reads, for a step that goes on where another left off. False where the job
   * has ended or is gone, so that nobody would find it.
   */
  keep(owner: Owner, jobId: JobId, own: Own): Promise<boolean> {
    return this.#update(owner, jobId, { own }, open, terminalValues);
  }

  /** Says how far one of its items is, by its place; less than is known already is ignored. */
  async advanceItem(owner: Owner, jobId: JobId, at: number, progress: number): Promise<void> {
    const item = `#items[${Math.floor(at)}]`;
    try {
      await this.#table.update({
        key: this.#key(owner, jobId),
        expression: `SET ${item}.#progress = :progress, ${item}.#status = :running`,
        names: { '#items': 'items', '#progress': 'progress', '#status': 'status' },
        values: { progress, running: 'running', ...terminalValues },
        condition: `${open} AND ${item}.#progress <= :progress`,
      });
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error;
    }
  }

  /** Notes its parts by their sizes, for those who work on them and whoever clears up after it. */
  async planParts(
    owner: Owner,
    jobId: JobId,
    sizes: readonly number[],
    kind: PartKind = 'part',
  ): Promise<void> {
    await this.#update(owner, jobId, planOf(sizes, kind), open, terminalValues);
  }

  /** Notes how much of a part is done, 0 to 1; less than before is ignored. */
  advancePart(
    owner: Owner,
    jobId: JobId,
    part: Part,
    fraction: number,
    kind: PartKind = 'part',
  ): Promise<Counted> {
    return advancePart(this.#table, this.#key(owner, jobId), kind, part, fraction);
  }

  /** Notes a part as done, once however often it is said. */
  completePart(owner: Owner, jobId: JobId, part: Part, kind: PartKind = 'part'): Promise<Counted> {
    return completePart(this.#table, this.#key(owner, jobId), kind, part);
  }

  /** Notes how far one of the branches is that go on side by side, and tells how far all of them are. */
  reachBranch(owner: Owner, jobId: JobId, name: string, state: BranchState): Promise<Branches> {
    return reachBranch(this.#table, this.#key(owner, jobId), name, state);
  }

  /**
   * Ends the job as its items ended, and publishes so, in one transaction; from then on nobody sweeps it. A job that
   * has ended stays as it is. False where it was canceled: what was made is then to be removed, and the sweep sees to it.
   * @param alongside what is written in the same transaction, asked for at each attempt
   */
  settle(
    owner: Owner,
    jobId: JobId,
    now: Date,
    end: JobEnd<Type>,
    alongside: () => Promise<readonly Write[]> = async () => [],
    attempts = SETTLE_ATTEMPTS,
  ): Promise<boolean> {
    return retrying({ kind: 'job', id: jobId, attempts }, async () => {
      const current = await this.find(owner, jobId);
      if (current?.status === 'canceled') return false;
      const isOpen = current !== null && !isTerminal(current.status);
      if (isOpen)
        await this.#table.transact([...this.#ending(owner, current, now, end), ...(await alongside())]);
      else await this.closed(jobId);
      return true;
    });
  }

  /**
   * Writes that end the job, for the transaction that ends what it works on; none where it has ended. Null where it was
   * canceled.
   */
  async ending(owner: Owner, jobId: JobId, now: Date, end: JobEnd<Type>): Promise<Write[] | null> {
    const current = await this.find(owner, jobId);
    if (current?.status === 'canceled') return null;
    return current === null || isTerminal(current.status) ? [] : this.#ending(owner, current, now, end);
  }

  #ending(owner: Owner, current: StoredJob<Type, Own>, now: Date, end: JobEnd<Type>): Write[] {
    const items = end.items ?? current.items;
    const fields =
      'error' in end
        ? { items, status: end.status, error: end.error }
        : { items, status: endOf(items), progress: 1, result: end.result };
    const stored = { ...current, ...this.#key(owner, current.job_id) } as StoredJob & Key;
    return [...endWrites(this.#tenant, stored, fields, now), { withdraw: openJobKey(current.job_id) }];
  }

  /** All that had to be done about the job is done; nobody sweeps it any more. */
  closed(jobId: JobId): Promise<void> {
    return close(this.#table, jobId);
  }

  /** A change that its condition refuses has happened already, or must not happen any more: it is false. */
  async #update(
    owner: Owner,
    jobId: JobId,
    set: Values,
    condition: string,
    values: Values,
  ): Promise<boolean> {
    try {
      await this.#table.update(changing(this.#key(owner, jobId), set, { condition, values }));
      return true;
    } catch (error) {
      if (error instanceof ConditionFailed) return false;
      throw error;
    }
  }
}

/** Jobs of all kinds, found by their ids alone. */
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

  /** The jobs of an asset, of every kind. */
  ofAsset(assetId: AssetId): Promise<StoredJob[]> {
    const pk = assetPartition(this.#tenant, assetId);
    return this.#table.queryAll<StoredJob>({ pk, beginsWith: jobsPrefix() });
  }

  at({ job_pk, job_sk }: JobPointer): Promise<(StoredJob & Key) | null> {
    return this.#table.get<StoredJob>({ pk: job_pk, sk: job_sk });
  }

  /** One page of the ids that stand in all of these lists, newest first. */
  page(lists: readonly string[], position: Position, size: number): Promise<PageOfIds> {
    return pageOfIds(this.#table, this.#tenant, lists, position, size);
  }

  /** The jobs of those ids that are still there, in that order. */
  async getMany(jobIds: readonly JobId[]): Promise<StoredJob[]> {
    const pointers = await this.#table.getAll<JobPointer>(
      jobIds.map((jobId) => facetKey(this.#tenant, 'jobs', jobId)),
    );
    return this.#table.getAll<StoredJob>(pointers.map(({ job_pk, job_sk }) => ({ pk: job_pk, sk: job_sk })));
  }

  /**
   * Ends the job without its result, and publishes so. Its machine notices, stops what it does and removes what it
   * had made; until it has, the job is swept. Canceling again changes nothing; throws where the job ended otherwise.
   * @param alongside what is written in the same transaction, asked for at each attempt
   */
  cancel(
    jobId: JobId,
    now: Date,
    alongside: (job: StoredJob) => Promise<readonly Write[]> = async () => [],
  ): Promise<StoredJob> {
    return retrying({ kind: 'job', id: jobId, attempts: SETTLE_ATTEMPTS }, async () => {
      const job = await this.get(jobId);
      if (job.status === 'canceled') return job;
      if (isTerminal(job.status))
        throw new InvalidState(`The job is ${job.status}: there is nothing to cancel.`);
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

  /** Nothing is left to be done about the job, or it is gone. */
  closed(jobId: JobId): Promise<void> {
    return close(this.#table, jobId);
  }
}

/** Writes that end a job and publish so; they are refused where it has ended. */
function endWrites(
  tenant: TenantId,
  job: StoredJob & Key,
  fields: Readonly<Record<string, unknown>> & {
    readonly status: 'succeeded' | 'partially_succeeded' | 'failed' | 'canceled';
  },
  now: Date,
): Write[] {
  const set = { ...fields, estimated_ready_at: null, finished_at: now.toISOString() };
  const update = changing({ pk: job.pk, sk: job.sk }, set, { condition: open, values: terminalValues });
  const event = jobEvent(`job.${fields.status}`, now, jobView({ ...job, ...set } as StoredJob));
  return [{ update }, ...published(tenant, event)];
}

/** Takes the job off what is swept; a repeat changes nothing. */
const close = (table: TenantTable, jobId: JobId): Promise<void> =>
  table.transact([{ withdraw: openJobKey(jobId) }]);

/**
 * The stored state of the admission queue, for all tenants. One item has the admitted jobs of each pool. Each waiting
 * job has an item in the partition of its tenant, and one more item lists the tenants with waiting jobs. An entry that
 * cannot be read is reported and skipped, so that it does not stop the jobs of other tenants.
 */
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { asJobId, asTenantId, type TenantId } from '../../shared/ids.ts';
import {
  type EntryFailed,
  jobId,
  optional,
  type Parser,
  readableOf,
  recordOf,
  shape,
  tenantId,
  text,
} from '../../shared/parse.ts';
import { absent } from '../table/keys.ts';
import { ConditionFailed, type Item, type Key, Table } from '../table/table.ts';
import { ADMIN_PREFIX } from '../table/tenant-table.ts';
import { allJobs, type Pools } from './capacity.ts';
import type { JobOfTenant, WaitingJob } from './queue.ts';

export interface AdmittedJob extends JobOfTenant {
  readonly pools: readonly string[];
}

/** Reads the input of an execution, which is stored unchanged. */
const input: Parser<object> = recordOf((value) => value);
const waitingItem = shape({
  tenant: tenantId,
  job_id: jobId,
  machine: text,
  input,
  trace_header: optional(text),
});

const runningKey: Key = { pk: `${ADMIN_PREFIX}turns`, sk: 'running' };
/** The key of the item that lists all tenants with waiting jobs. It may also list tenants without waiting jobs. */
const tenantsKey: Key = { pk: `${ADMIN_PREFIX}turns`, sk: 'waiting' };
const waitingPartition = `${ADMIN_PREFIX}turns_waiting`;
/** The maximum numbers of waiting jobs and of tenants that one call of `waiting` reads. Later calls read the others. */
const MOST_READ = { jobs: 500, tenants: 100 };

export class QueueTable {
  readonly #table: Table;
  readonly #failed: EntryFailed;
  readonly #most: typeof MOST_READ;

  /** @param failed called for each entry that cannot be read */
  constructor(client: DynamoDBClient, table: string, failed: EntryFailed, most = MOST_READ) {
    this.#table = new Table(client, table);
    this.#failed = failed;
    this.#most = most;
  }

  /** Takes a place in each of the pools, or in none. A repeat has no effect. False if one of the pools is full. */
  async admit(job: JobOfTenant, places: Pools): Promise<boolean> {
    const pools = Object.entries(places).map(([pool, most], at) => ({ pool, most, at }));
    const hasRoom = ({ at }: { at: number }) =>
      `(attribute_not_exists(#l${at}) OR size(#l${at}) < :most${at} OR contains(#l${at}, :name${at}))`;
    const values = pools.flatMap(({ pool, most, at }) => {
      const name = nameIn(pool, job);
      return [
        [`most${at}`, most] as const,
        [`name${at}`, name] as const,
        [`own${at}`, new Set([name])] as const,
      ];
    });
    return this.#table.change({
      key: runningKey,
      expression: `ADD ${pools.map(({ at }) => `#l${at} :own${at}`).join(', ')}`,
      condition: pools.map(hasRoom).join(' AND '),
      names: namesOf(pools),
      values: Object.fromEntries(values),
    });
  }

  async release(jobs: readonly AdmittedJob[]): Promise<void> {
    if (jobs.length === 0) return;
    const pools = [...new Set(jobs.flatMap((job) => job.pools))].map((pool, at) => ({ pool, at }));
    const over = pools.map(({ pool, at }) => {
      const those = jobs.filter((job) => job.pools.includes(pool));
      return [`over${at}`, new Set(those.map((job) => nameIn(pool, job)))] as const;
    });
    await this.#table.change({
      key: runningKey,
      expression: `DELETE ${pools.map(({ at }) => `#l${at} :over${at}`).join(', ')}`,
      names: namesOf(pools),
      values: Object.fromEntries(over),
    });
  }

  async admitted(): Promise<AdmittedJob[]> {
    const { [allJobs]: names = new Set<string>(), ...others } = setsOf(await this.#table.get(runningKey));
    return readableOf([...names], String, jobOf, this.#failed).map((job) => {
      const providers = Object.entries(others).filter(([, ids]) => ids.has(job.job_id));
      return { ...job, pools: [allJobs, ...providers.map(([pool]) => pool)] };
    });
  }

  /** Adds the job to the queue. A repeat has no effect: the item of the first request stays, unless it cannot be read. */
  async enqueue(job: WaitingJob): Promise<void> {
    const item = { ...job, pk: partitionOf(job.tenant), sk: job.job_id };
    try {
      await this.#table.put(item, absent);
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error;
      // The sweep queues each recorded job again. This repairs an item that cannot be read.
      const isUnreadable = error.current !== null && this.#readableJobs([error.current]).length === 0;
      if (isUnreadable) await this.#table.put(item);
    }
    await this.#nameTenant('ADD', job.tenant);
  }

  async dequeue({ tenant, job_id }: JobOfTenant): Promise<void> {
    await this.#table.delete({ pk: partitionOf(tenant), sk: job_id });
    if (await this.#isWaiting(tenant)) return;
    await this.#nameTenant('DELETE', tenant);
    // Another request may have added a job meanwhile. Then the item must list the tenant again.
    if (await this.#isWaiting(tenant)) await this.#nameTenant('ADD', tenant);
  }

  /**
   * The oldest waiting jobs, oldest first, with an equal number for each tenant. Ids of jobs sort by age, because they
   * begin with the time.
   * @param admitted if too many tenants wait, the jobs of those with the fewest admitted jobs are read
   */
  async waiting(admitted: readonly JobOfTenant[]): Promise<WaitingJob[]> {
    const { tenants = [] } = setsOf(await this.#table.get(tenantsKey));
    const readable = readableOf([...tenants], String, asTenantId, this.#failed);
    const some = leastBusy(readable, admitted).slice(0, this.#most.tenants);
    const ofEach = Math.floor(this.#most.jobs / some.length);
    const found = await Promise.all(some.map((tenant) => this.#oldestOf(tenant, ofEach)));
    return found.flat().sort((one, other) => (one.job_id < other.job_id ? -1 : 1));
  }

  /** The oldest jobs of the tenant. Unreadable items do not count toward the limit. */
  async #oldestOf(tenant: TenantId, limit: number): Promise<WaitingJob[]> {
    const jobs: WaitingJob[] = [];
    let after: Key | undefined;
    do {
      const { items, next } = await this.#query(tenant, limit - jobs.length, after);
      jobs.push(...this.#readableJobs(items));
      after = next;
    } while (after !== undefined && jobs.length < limit);
    return jobs;
  }

  /** Whether the tenant has items in the queue, readable or not. An operator has to repair unreadable items. */
  async #isWaiting(tenant: TenantId): Promise<boolean> {
    return (await this.#query(tenant, 1)).items.length > 0;
  }

  #query(tenant: TenantId, limit: number, after?: Key) {
    return this.#table.query({ pk: partitionOf(tenant), after, limit, consistent: true });
  }

  #readableJobs(items: readonly Item[]): WaitingJob[] {
    return readableOf(items, ({ pk, sk }) => `${pk} ${sk}`, waitingItem, this.#failed);
  }

  async #nameTenant(change: 'ADD' | 'DELETE', tenant: TenantId): Promise<void> {
    await this.#table.change({
      key: tenantsKey,
      expression: `${change} tenants :tenant`,
      values: { tenant: new Set([tenant]) },
    });
  }
}

const partitionOf = (tenant: TenantId): string => `${waitingPartition}#${tenant}`;

/** The tenants with the fewest admitted jobs first; among equals, in random order. */
function leastBusy(tenants: readonly TenantId[], admitted: readonly JobOfTenant[]): TenantId[] {
  return tenants
    .map((tenant) => ({
      tenant,
      jobs: admitted.filter((job) => job.tenant === tenant).length,
      random: Math.random(),
    }))
    .sort((one, other) => one.jobs - other.jobs || one.random - other.random)
    .map(({ tenant }) => tenant);
}

/**
 * The name of a job in the item of a pool. Only the pool of all jobs also needs the tenant. Short names save space: an
 * item has room for 400 kB.
 */
const nameIn = (pool: string, { tenant, job_id }: JobOfTenant): string =>
  pool === allJobs ? `${tenant}/${job_id}` : job_id;

const namesOf = (pools: readonly { readonly pool: string; readonly at: number }[]) =>
  Object.fromEntries(pools.map(({ pool, at }) => [`#l${at}`, pool]));

const setsOf = (item: Item | null): Record<string, Set<string>> =>
  Object.fromEntries(
    Object.entries(item ?? {}).filter((entry): entry is [string, Set<string>] => entry[1] instanceof Set),
  );

function jobOf(name: string): JobOfTenant {
  const [tenant = '', id = ''] = name.split('/');
  return { tenant: asTenantId(tenant), job_id: asJobId(id) };
}

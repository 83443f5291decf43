/**
 * The stored state of the admission queue, for all tenants. One item has the admitted jobs of each pool. Each waiting job has an item in
 * the partition of its tenant, and one more item names the tenants with waiting jobs. An entry that cannot be read is reported and
 * skipped, so that it does not stop the jobs of other tenants.
 */
import {
  type AttributeValue,
  ConditionalCheckFailedException,
  DeleteItemCommand,
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  type QueryCommandOutput,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import { asJobId } from '../../shared/ids.ts';
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
import { asTenantId, type TenantId } from '../../shared/tenant.ts';
import { ADMIN_PREFIX, type Key } from '../table/tenant-table.ts';
import { allJobs, type Pools } from './capacity.ts';
import type { JobOfTenant, WaitingJob } from './queue.ts';

/** A job that has a place in these pools. */
export interface AdmittedJob extends JobOfTenant {
  readonly pools: readonly string[];
}

/** The input of an execution is stored as it was given. */
const input: Parser<object> = recordOf((value) => value);
const waitingItem = shape({
  tenant: tenantId,
  job_id: jobId,
  machine: text,
  input,
  trace_header: optional(text),
});

const runningKey: Key = { pk: `${ADMIN_PREFIX}turns`, sk: 'running' };
/** Names every tenant with waiting jobs, and perhaps some tenants without any. */
const tenantsKey: Key = { pk: `${ADMIN_PREFIX}turns`, sk: 'waiting' };
const waitingPartition = `${ADMIN_PREFIX}turns_waiting`;
/** At most this many waiting jobs of this many tenants are read. The others stay in the table until a later look. */
const MOST_READ = { jobs: 500, tenants: 100 };

export class QueueTable {
  readonly #client: DynamoDBClient;
  readonly #table: string;
  readonly #failed: EntryFailed;
  readonly #most: typeof MOST_READ;

  /** @param failed called for each entry that cannot be read */
  constructor(client: DynamoDBClient, table: string, failed: EntryFailed, most = MOST_READ) {
    this.#client = client;
    this.#table = table;
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
        [`:most${at}`, most] as const,
        [`:name${at}`, name] as const,
        [`:own${at}`, new Set([name])] as const,
      ];
    });
    try {
      await this.#client.send(
        new UpdateItemCommand({
          TableName: this.#table,
          Key: marshall(runningKey),
          UpdateExpression: `ADD ${pools.map(({ at }) => `#l${at} :own${at}`).join(', ')}`,
          ConditionExpression: pools.map(hasRoom).join(' AND '),
          ExpressionAttributeNames: namesOf(pools),
          ExpressionAttributeValues: marshall(Object.fromEntries(values)),
        }),
      );
      return true;
    } catch (error) {
      if (error instanceof ConditionalCheckFailedException) return false;
      throw error;
    }
  }

  /** Frees the places of the jobs. */
  async release(jobs: readonly AdmittedJob[]): Promise<void> {
    if (jobs.length === 0) return;
    const pools = [...new Set(jobs.flatMap((job) => job.pools))].map((pool, at) => ({ pool, at }));
    const over = pools.map(({ pool, at }) => {
      const those = jobs.filter((job) => job.pools.includes(pool));
      return [`:over${at}`, new Set(those.map((job) => nameIn(pool, job)))] as const;
    });
    await this.#client.send(
      new UpdateItemCommand({
        TableName: this.#table,
        Key: marshall(runningKey),
        UpdateExpression: `DELETE ${pools.map(({ at }) => `#l${at} :over${at}`).join(', ')}`,
        ExpressionAttributeNames: namesOf(pools),
        ExpressionAttributeValues: marshall(Object.fromEntries(over)),
      }),
    );
  }

  async admitted(): Promise<AdmittedJob[]> {
    const { [allJobs]: names = new Set<string>(), ...others } = setsOf(await this.#read(runningKey));
    return readableOf([...names], String, jobOf, this.#failed).map((job) => {
      const providers = Object.entries(others).filter(([, ids]) => ids.has(job.job_id));
      return { ...job, pools: [allJobs, ...providers.map(([pool]) => pool)] };
    });
  }

  /** Adds the job to the queue. A repeat has no effect: the item of the first request stays, unless it cannot be read. */
  async enqueue(job: WaitingJob): Promise<void> {
    const item = { ...job, pk: partitionOf(job.tenant), sk: job.job_id };
    const put = { TableName: this.#table, Item: marshall(item, { removeUndefinedValues: true }) };
    const ifAbsent = {
      ...put,
      ConditionExpression: 'attribute_not_exists(pk)',
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const,
    };
    try {
      await this.#client.send(new PutItemCommand(ifAbsent));
    } catch (error) {
      if (!(error instanceof ConditionalCheckFailedException)) throw error;
      // The sweep queues each recorded job again, and so repairs an item that cannot be read.
      const isUnreadable = error.Item !== undefined && this.#readableJobs([error.Item]).length === 0;
      if (isUnreadable) await this.#client.send(new PutItemCommand(put));
    }
    await this.#nameTenant('ADD', job.tenant);
  }

  async dequeue({ tenant, job_id }: JobOfTenant): Promise<void> {
    const key = marshall({ pk: partitionOf(tenant), sk: job_id });
    await this.#client.send(new DeleteItemCommand({ TableName: this.#table, Key: key }));
    if (await this.#isWaiting(tenant)) return;
    await this.#nameTenant('DELETE', tenant);
    // Another request may have added a job in between: it adds the job first, and then the name of the tenant.
    if (await this.#isWaiting(tenant)) await this.#nameTenant('ADD', tenant);
  }

  /**
   * The oldest waiting jobs, oldest first, with an equal number for each tenant. Ids of jobs begin with their time.
   * @param admitted decides which tenants are read if too many wait: those with the fewest of these jobs, and chance
   * among equals
   */
  async waiting(admitted: readonly JobOfTenant[]): Promise<WaitingJob[]> {
    const { tenants = [] } = setsOf(await this.#read(tenantsKey));
    const readable = readableOf([...tenants], String, asTenantId, this.#failed);
    const some = leastBusy(readable, admitted).slice(0, this.#most.tenants);
    const ofEach = Math.floor(this.#most.jobs / some.length);
    const found = await Promise.all(some.map((tenant) => this.#oldestOf(tenant, ofEach)));
    return found.flat().sort((one, other) => (one.job_id < other.job_id ? -1 : 1));
  }

  async #read(key: Key): Promise<Readonly<Record<string, unknown>>> {
    const { Item = {} } = await this.#client.send(
      new GetItemCommand({ TableName: this.#table, Key: marshall(key), ConsistentRead: true }),
    );
    return unmarshall(Item);
  }

  /** Reads on if it skipped items, so that they take no readable job's part of the limit. */
  async #oldestOf(tenant: TenantId, limit: number): Promise<WaitingJob[]> {
    const jobs: WaitingJob[] = [];
    let after: QueryCommandOutput['LastEvaluatedKey'];
    do {
      const { Items = [], LastEvaluatedKey } = await this.#query(tenant, limit - jobs.length, after);
      jobs.push(...this.#readableJobs(Items));
      after = LastEvaluatedKey;
    } while (after !== undefined && jobs.length < limit);
    return jobs;
  }

  /** Whether the tenant has items in the queue, readable or not. An operator has to repair those that are not. */
  async #isWaiting(tenant: TenantId): Promise<boolean> {
    return ((await this.#query(tenant, 1)).Items ?? []).length > 0;
  }

  #query(tenant: TenantId, limit: number, after?: QueryCommandOutput['LastEvaluatedKey']) {
    return this.#client.send(
      new QueryCommand({
        TableName: this.#table,
        KeyConditionExpression: 'pk = :pk',
        ExpressionAttributeValues: marshall({ ':pk': partitionOf(tenant) }),
        ExclusiveStartKey: after,
        Limit: limit,
        ConsistentRead: true,
      }),
    );
  }

  #readableJobs(items: readonly Record<string, AttributeValue>[]): WaitingJob[] {
    const keyIn = ({ pk, sk }: Record<string, AttributeValue>) => `${pk?.S} ${sk?.S}`;
    return readableOf(items, keyIn, (item) => waitingItem(unmarshall(item)), this.#failed);
  }

  async #nameTenant(change: 'ADD' | 'DELETE', tenant: TenantId): Promise<void> {
    await this.#client.send(
      new UpdateItemCommand({
        TableName: this.#table,
        Key: marshall(tenantsKey),
        UpdateExpression: `${change} tenants :tenant`,
        ExpressionAttributeValues: marshall({ ':tenant': new Set([tenant]) }),
      }),
    );
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

/** The pool of all jobs names the tenant too. In other pools the id is enough: an item has room for 400 kB. */
const nameIn = (pool: string, { tenant, job_id }: JobOfTenant): string =>
  pool === allJobs ? `${tenant}/${job_id}` : job_id;

const namesOf = (pools: readonly { readonly pool: string; readonly at: number }[]) =>
  Object.fromEntries(pools.map(({ pool, at }) => [`#l${at}`, pool]));

const setsOf = (item: Readonly<Record<string, unknown>>): Record<string, Set<string>> =>
  Object.fromEntries(
    Object.entries(item).filter((entry): entry is [string, Set<string>] => entry[1] instanceof Set),
  );

function jobOf(name: string): JobOfTenant {
  const [tenant = '', id = ''] = name.split('/');
  return { tenant: asTenantId(tenant), job_id: asJobId(id) };
}

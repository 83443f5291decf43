/**
 * Which jobs run in an environment and which wait, of all tenants: one item with those that run and with what each line has of them,
 * one item for each that waits, in a partition of its tenant, and one that names the tenants who have such.
 */
import {
  ConditionalCheckFailedException,
  DeleteItemCommand,
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import { asJobId, type JobId } from '../../shared/ids.ts';
import { everyJob, type Places } from '../../shared/provider-capacity.ts';
import { asTenantId, type TenantId } from '../../shared/tenant.ts';
import { ADMIN_PREFIX, type Key } from '../table/tenant-table.ts';

export interface RunningJob {
  readonly tenant: TenantId;
  readonly job_id: JobId;
}

/** A job that has a place in these lines. */
export interface PlacedJob extends RunningJob {
  readonly lines: readonly string[];
}

/** A job that was recorded, and has no place yet. */
export interface WaitingJob extends RunningJob {
  /** Name of its machine's definition. */
  readonly machine: string;
  /** What its execution is started with. */
  readonly input: object;
  /** Trace of the request that asked for it, which its execution goes on with; absent where there is none. */
  readonly trace_header?: string;
}

const runningKey: Key = { pk: `${ADMIN_PREFIX}turns`, sk: 'running' };
/** Names every tenant who has jobs that wait, and perhaps some who have none any more. */
const tenantsKey: Key = { pk: `${ADMIN_PREFIX}turns`, sk: 'waiting' };
const waitingPartition = `${ADMIN_PREFIX}turns_waiting`;
/** How many that wait are looked at, the oldest of each of so many tenants: more stand behind them all the same. */
const MOST_LOOKED_AT = { jobs: 500, tenants: 100 };

export class TurnsTable {
  readonly #client: DynamoDBClient;
  readonly #table: string;
  readonly #most: typeof MOST_LOOKED_AT;

  constructor(client: DynamoDBClient, table: string, most = MOST_LOOKED_AT) {
    this.#client = client;
    this.#table = table;
    this.#most = most;
  }

  /** Takes a place in each of the lines, or in none; once however often. False where one of them is full. */
  async take(job: RunningJob, places: Places): Promise<boolean> {
    const lines = Object.entries(places).map(([line, most], at) => ({ line, most, at }));
    const hasRoom = ({ at }: { at: number }) =>
      `(attribute_not_exists(#l${at}) OR size(#l${at}) < :most${at} OR contains(#l${at}, :name${at}))`;
    const values = lines.flatMap(({ line, most, at }) => {
      const name = nameIn(line, job);
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
          UpdateExpression: `ADD ${lines.map(({ at }) => `#l${at} :own${at}`).join(', ')}`,
          ConditionExpression: lines.map(hasRoom).join(' AND '),
          ExpressionAttributeNames: namesOf(lines),
          ExpressionAttributeValues: marshall(Object.fromEntries(values)),
        }),
      );
      return true;
    } catch (error) {
      if (error instanceof ConditionalCheckFailedException) return false;
      throw error;
    }
  }

  async release(jobs: readonly PlacedJob[]): Promise<void> {
    if (jobs.length === 0) return;
    const lines = [...new Set(jobs.flatMap((job) => job.lines))].map((line, at) => ({ line, at }));
    const over = lines.map(({ line, at }) => {
      const those = jobs.filter((job) => job.lines.includes(line));
      return [`:over${at}`, new Set(those.map((job) => nameIn(line, job)))] as const;
    });
    await this.#client.send(
      new UpdateItemCommand({
        TableName: this.#table,
        Key: marshall(runningKey),
        UpdateExpression: `DELETE ${lines.map(({ at }) => `#l${at} :over${at}`).join(', ')}`,
        ExpressionAttributeNames: namesOf(lines),
        ExpressionAttributeValues: marshall(Object.fromEntries(over)),
      }),
    );
  }

  async running(): Promise<PlacedJob[]> {
    const { Item } = await this.#client.send(
      new GetItemCommand({ TableName: this.#table, Key: marshall(runningKey), ConsistentRead: true }),
    );
    const { [everyJob]: names = new Set<string>(), ...others } = setsOf(Item ? unmarshall(Item) : {});
    return [...names].map(runningOf).map((job) => {
      const providers = Object.keys(others).filter((line) => others[line]!.has(job.job_id));
      return { ...job, lines: [everyJob, ...providers] };
    });
  }

  /** Has it wait, once however often: as the first had it who asked. */
  async wait(job: WaitingJob): Promise<void> {
    const item = { ...job, pk: partitionOf(job.tenant), sk: job.job_id };
    const asFirst = { Item: marshall(item), ConditionExpression: 'attribute_not_exists(pk)' };
    try {
      await this.#client.send(new PutItemCommand({ TableName: this.#table, ...asFirst }));
    } catch (error) {
      if (!(error instanceof ConditionalCheckFailedException)) throw error;
    }
    await this.#name('ADD', job.tenant);
  }

  async leave({ tenant, job_id }: RunningJob): Promise<void> {
    const key = marshall({ pk: partitionOf(tenant), sk: job_id });
    await this.#client.send(new DeleteItemCommand({ TableName: this.#table, Key: key }));
    if ((await this.#oldestOf(tenant, 1)).length > 0) return;
    await this.#name('DELETE', tenant);
    // One that came in between: it was put there before its tenant was named.
    if ((await this.#oldestOf(tenant, 1)).length > 0) await this.#name('ADD', tenant);
  }

  /**
   * Those that wait longest, of each tenant as many, oldest first: ids of jobs begin with their time.
   * @param running where more tenants wait than are looked at, those with least of these are; by lot among equals
   */
  async waiting(running: readonly RunningJob[]): Promise<WaitingJob[]> {
    const { Item } = await this.#client.send(
      new GetItemCommand({ TableName: this.#table, Key: marshall(tenantsKey), ConsistentRead: true }),
    );
    const { tenants = new Set<string>() } = setsOf(Item ? unmarshall(Item) : {});
    const lookedAt = leastBusy([...tenants].map(asTenantId), running).slice(0, this.#most.tenants);
    const ofEach = Math.floor(this.#most.jobs / lookedAt.length);
    const found = await Promise.all(lookedAt.map((tenant) => this.#oldestOf(tenant, ofEach)));
    return found.flat().sort((one, other) => (one.job_id < other.job_id ? -1 : 1));
  }

  async #oldestOf(tenant: TenantId, limit: number): Promise<WaitingJob[]> {
    const { Items = [] } = await this.#client.send(
      new QueryCommand({
        TableName: this.#table,
        KeyConditionExpression: 'pk = :pk',
        ExpressionAttributeValues: marshall({ ':pk': partitionOf(tenant) }),
        Limit: limit,
        ConsistentRead: true,
      }),
    );
    return Items.map((item) => unmarshall(item) as WaitingJob);
  }

  async #name(change: 'ADD' | 'DELETE', tenant: TenantId): Promise<void> {
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

/** Who has least under way first; by lot among equals. */
function leastBusy(tenants: readonly TenantId[], running: readonly RunningJob[]): TenantId[] {
  return tenants
    .map((tenant) => ({
      tenant,
      underWay: running.filter((job) => job.tenant === tenant).length,
      lot: Math.random(),
    }))
    .sort((one, other) => one.underWay - other.underWay || one.lot - other.lot)
    .map(({ tenant }) => tenant);
}

/** In the line of all jobs a job stands with its tenant; in others its id is enough, and an item has room for 400 kB. */
const nameIn = (line: string, { tenant, job_id }: RunningJob): string =>
  line === everyJob ? `${tenant}/${job_id}` : job_id;

const namesOf = (lines: readonly { readonly line: string; readonly at: number }[]) =>
  Object.fromEntries(lines.map(({ line, at }) => [`#l${at}`, line]));

const setsOf = (item: Readonly<Record<string, unknown>>): Record<string, Set<string>> =>
  Object.fromEntries(
    Object.entries(item).filter((entry): entry is [string, Set<string>] => entry[1] instanceof Set),
  );

function runningOf(name: string): RunningJob {
  const [tenant = '', jobId = ''] = name.split('/');
  return { tenant: asTenantId(tenant), job_id: asJobId(jobId) };
}

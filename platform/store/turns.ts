/**
 * Which jobs run in an environment and which wait, of all tenants: one item with those that run and with what each line has of them,
 * one item for each that waits.
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
import { asJobId, type JobId } from '../shared/ids.ts';
import { everyJob, type Places } from '../shared/lines.ts';
import { asTenantId, type TenantId } from '../shared/tenant.ts';
import { ADMIN_PREFIX, type Key } from './table.ts';

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
}

const runningKey: Key = { pk: `${ADMIN_PREFIX}turns`, sk: 'running' };
const waitingPartition = `${ADMIN_PREFIX}turns_waiting`;
/** So many are looked at of those that wait, the oldest: more stand behind them all the same. */
const MOST_LOOKED_AT = 500;

export class TurnsTable {
  readonly #client: DynamoDBClient;
  readonly #table: string;

  constructor(client: DynamoDBClient, table: string) {
    this.#client = client;
    this.#table = table;
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

  /** Has it wait, once however often. */
  async wait(job: WaitingJob): Promise<void> {
    const item = { ...job, pk: waitingPartition, sk: job.job_id };
    await this.#client.send(new PutItemCommand({ TableName: this.#table, Item: marshall(item) }));
  }

  async leave(jobId: JobId): Promise<void> {
    const key = marshall({ pk: waitingPartition, sk: jobId });
    await this.#client.send(new DeleteItemCommand({ TableName: this.#table, Key: key }));
  }

  /** Those that wait longest, oldest first: ids of jobs begin with their time. */
  async waiting(): Promise<WaitingJob[]> {
    const { Items = [] } = await this.#client.send(
      new QueryCommand({
        TableName: this.#table,
        KeyConditionExpression: 'pk = :pk',
        ExpressionAttributeValues: marshall({ ':pk': waitingPartition }),
        Limit: MOST_LOOKED_AT,
        ConsistentRead: true,
      }),
    );
    return Items.map((item) => unmarshall(item) as WaitingJob);
  }
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

/** Which jobs run in an environment and which wait, of all tenants: one item with those that run, one for each that waits. */
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
import { asTenantId, type TenantId } from '../shared/tenant.ts';
import { ADMIN_PREFIX, type Key } from './table.ts';

export interface RunningJob {
  readonly tenant: TenantId;
  readonly job_id: JobId;
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

  /** Takes a place, once however often. False where `most` jobs have one. */
  async take(job: RunningJob, most: number): Promise<boolean> {
    const name = nameOf(job);
    try {
      await this.#client.send(
        new UpdateItemCommand({
          TableName: this.#table,
          Key: marshall(runningKey),
          UpdateExpression: 'ADD jobs :own',
          ConditionExpression: 'attribute_not_exists(jobs) OR size(jobs) < :most OR contains(jobs, :name)',
          ExpressionAttributeValues: marshall({ ':own': new Set([name]), ':name': name, ':most': most }),
        }),
      );
      return true;
    } catch (error) {
      if (error instanceof ConditionalCheckFailedException) return false;
      throw error;
    }
  }

  async release(jobs: readonly RunningJob[]): Promise<void> {
    if (jobs.length === 0) return;
    await this.#client.send(
      new UpdateItemCommand({
        TableName: this.#table,
        Key: marshall(runningKey),
        UpdateExpression: 'DELETE jobs :over',
        ExpressionAttributeValues: marshall({ ':over': new Set(jobs.map(nameOf)) }),
      }),
    );
  }

  async running(): Promise<RunningJob[]> {
    const { Item } = await this.#client.send(
      new GetItemCommand({ TableName: this.#table, Key: marshall(runningKey), ConsistentRead: true }),
    );
    const names = Item && (unmarshall(Item).jobs as Set<string> | undefined);
    return [...(names ?? [])].map(runningOf);
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

const nameOf = ({ tenant, job_id }: RunningJob) => `${tenant}/${job_id}`;

function runningOf(name: string): RunningJob {
  const [tenant = '', jobId = ''] = name.split('/');
  return { tenant: asTenantId(tenant), job_id: asJobId(jobId) };
}

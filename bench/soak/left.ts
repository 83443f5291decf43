/** Finds items, objects and executions that remain after all assets were deleted. */
import { setTimeout as sleep } from 'node:timers/promises';
import { DynamoDBClient, ListTablesCommand, paginateScan } from '@aws-sdk/client-dynamodb';
import {
  ListBucketsCommand,
  ListMultipartUploadsCommand,
  paginateListObjectsV2,
  S3Client,
} from '@aws-sdk/client-s3';
import { ListStateMachinesCommand, paginateListExecutions, SFNClient } from '@aws-sdk/client-sfn';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { accessTo, type Ready } from '../../local/ready.ts';
import { defined } from '../../shared/checked-access.ts';

/** Time limit of the wait, ms: longer than two runs of the sweep. */
const SETTLED_MS = 180_000;

/**
 * Matches items that a tenant keeps: the event log, the deliveries to its webhook, its usage with receipts (decision
 * 67), and the webhook.
 */
const kept = /^(?:EV|WH#.*|USE#.*|RECEIPT#.*|(?:CFG|COUNT|IX#configuration)#webhooks)$/;

/** Returns one line, without ids, for each leftover thing. Empty if everything was deleted. */
async function leftIn(ready: Ready): Promise<string[]> {
  const place = accessTo(ready);
  const [items, objects, executions] = await Promise.all([
    itemsLeft(new DynamoDBClient({ ...place, endpoint: ready.dynamodb_url })),
    objectsLeft(new S3Client({ ...place, endpoint: ready.s3_url, forcePathStyle: true })),
    executionsLeft(new SFNClient({ ...place, endpoint: ready.stepfunctions_url })),
  ]);
  const counts = new Map<string, number>();
  for (const one of [...items, ...objects, ...executions]) counts.set(one, (counts.get(one) ?? 0) + 1);
  return [...counts].map(([one, count]) => `${one} × ${count}`).sort();
}

const ID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const shapeOf = (key: string) => key.replaceAll(ID, 'ID').replaceAll(/[0-9a-zA-Z_-]{40,}/g, 'HASH');

/** Reads only the core table. Items of the ephemeral table expire. */
async function itemsLeft(client: DynamoDBClient): Promise<string[]> {
  const { TableNames = [] } = await client.send(new ListTablesCommand({}));
  const left: string[] = [];
  for (const TableName of TableNames.filter((name) => /core/i.test(name))) {
    for await (const { Items = [] } of paginateScan({ client }, { TableName, ConsistentRead: true })) {
      for (const { pk, sk } of Items.map((item) => unmarshall(item))) {
        const own = /^T#[^#]+#(.*)$/.exec(pk)?.[1];
        if (own === undefined || !kept.test(own)) left.push(`item ${shapeOf(`${own ?? pk} ${sk}`)}`);
      }
    }
  }
  return left;
}

async function objectsLeft(client: S3Client): Promise<string[]> {
  const { Buckets = [] } = await client.send(new ListBucketsCommand({}));
  const left: string[] = [];
  for (const Bucket of Buckets.map(({ Name }) => defined(Name))) {
    for await (const { Contents = [] } of paginateListObjectsV2({ client }, { Bucket, Prefix: 't/' }))
      left.push(...Contents.map(({ Key }) => `object ${shapeOf(defined(Key))}`));
    const { Uploads = [] } = await client.send(new ListMultipartUploadsCommand({ Bucket }));
    left.push(...Uploads.map(({ Key }) => `unfinished upload ${shapeOf(defined(Key))}`));
  }
  return left;
}

async function executionsLeft(client: SFNClient): Promise<string[]> {
  const { stateMachines = [] } = await client.send(new ListStateMachinesCommand({}));
  const left: string[] = [];
  for (const { name, stateMachineArn } of stateMachines) {
    const running = { stateMachineArn, statusFilter: 'RUNNING' } as const;
    for await (const { executions = [] } of paginateListExecutions({ client }, running))
      left.push(...executions.map(() => `execution of ${name}`));
  }
  return left;
}

/** Returns the result of `leftIn` when nothing is left, or after `SETTLED_MS`. */
export async function settled(ready: Ready): Promise<string[]> {
  for (const end = Date.now() + SETTLED_MS; ; await sleep(5000)) {
    const left = await leftIn(ready);
    if (left.length === 0 || Date.now() > end) return left;
  }
}

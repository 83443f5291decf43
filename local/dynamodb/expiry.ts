/**
 * Time to live: DynamoDB deletes expired items within days, but local engines do not. So this sweep deletes them, to limit the size of
 * a local cloud that is used for months. The product must not rely on the sweep.
 */
import {
  type AttributeValue,
  DeleteItemCommand,
  type DynamoDBClient,
  ScanCommand,
} from '@aws-sdk/client-dynamodb';
import type { TableView } from '../template/storage.ts';

/** The maximum number of items that a sweep reads. The next sweep starts from the beginning. */
const ITEMS_PER_SWEEP = 10_000;

/** Deletes the expired items of the tables with a TTL attribute. Returns the number of deleted items. */
export async function deleteExpired(
  client: DynamoDBClient,
  tables: TableView[],
  nowMs: number,
): Promise<number> {
  let deleted = 0;
  for (const table of tables) {
    if (table.ttlAttribute) deleted += await sweep(client, table, table.ttlAttribute, nowMs);
  }
  return deleted;
}

async function sweep(
  client: DynamoDBClient,
  table: TableView,
  attribute: string,
  nowMs: number,
): Promise<number> {
  const expired = {
    ExpressionAttributeNames: { '#expires': attribute },
    ExpressionAttributeValues: { ':now': { N: String(Math.floor(nowMs / 1000)) } },
  };
  let start: Record<string, AttributeValue> | undefined;
  let deleted = 0;
  for (let read = 0; read < ITEMS_PER_SWEEP; ) {
    const page = await client.send(
      new ScanCommand({
        TableName: table.name,
        FilterExpression: '#expires < :now',
        Limit: 1_000,
        ...expired,
        ...(start ? { ExclusiveStartKey: start } : {}),
      }),
    );
    for (const item of page.Items ?? []) {
      await client.send(
        new DeleteItemCommand({
          TableName: table.name,
          Key: keyOf(table, item),
          // The item may have been renewed since it was read.
          ConditionExpression: '#expires < :now',
          ...expired,
        }),
      );
      deleted += 1;
    }
    read += page.ScannedCount ?? 0;
    start = page.LastEvaluatedKey;
    if (!start) break;
  }
  return deleted;
}

function keyOf(table: TableView, item: Record<string, AttributeValue>): Record<string, AttributeValue> {
  return Object.fromEntries(
    table.keySchema.map(({ AttributeName }) => [AttributeName, item[AttributeName] as AttributeValue]),
  );
}

/** Copies items of a tenant from a restored table to the table in use. */
import {
  type AttributeValue,
  ConditionalCheckFailedException,
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  paginateScan,
} from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';

export interface ItemsToRestore {
  /** The table that was restored. */
  readonly from: string;
  /** The table in use. */
  readonly to: string;
  readonly tenant: string;
  /** Restores one asset; all items of the tenant when absent. */
  readonly assetId?: string | undefined;
  readonly apply: boolean;
}

/**
 * Copies missing items and leaves existing ones, which may be newer. Also copies the index entries of the tenant: the sweep finds
 * open jobs and deletions by them, and operators see storages by them.
 * @returns the number of items copied, or to copy without `apply`
 */
export async function restoreItems(
  client: DynamoDBClient,
  { from, to, tenant, assetId, apply }: ItemsToRestore,
): Promise<number> {
  let count = 0;
  const pages = paginateScan(
    { client },
    {
      TableName: from,
      FilterExpression:
        'begins_with(pk, :own) OR (tenant = :tenant AND (begins_with(pk, :open) OR begins_with(pk, :deletions) OR pk = :storages))',
      ExpressionAttributeValues: {
        ':own': { S: `T#${tenant}#` },
        ':open': { S: 'ADMIN#open_jobs#' },
        ':deletions': { S: 'ADMIN#deletions#' },
        ':storages': { S: 'ADMIN#external_storages' },
        ':tenant': { S: tenant },
      },
    },
  );
  for await (const { Items = [] } of pages) {
    for (const item of Items) {
      const isAsked = assetId === undefined || JSON.stringify(unmarshall(item)).includes(assetId);
      if (!isAsked || isExpired(Number(item.expires_at?.N ?? Number.POSITIVE_INFINITY))) continue;
      const isMissing = apply ? await isPut(client, to, item) : !(await isThere(client, to, item));
      if (isMissing) count += 1;
    }
  }
  return count;
}

type Item = Record<string, AttributeValue>;

/** False if the item exists already. */
async function isPut(client: DynamoDBClient, TableName: string, Item: Item): Promise<boolean> {
  try {
    await client.send(
      new PutItemCommand({ TableName, Item, ConditionExpression: 'attribute_not_exists(pk)' }),
    );
    return true;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return false;
    throw error;
  }
}

async function isThere(client: DynamoDBClient, TableName: string, { pk, sk }: Item): Promise<boolean> {
  const asked = new GetItemCommand({ TableName, Key: { pk: pk!, sk: sk! }, ProjectionExpression: 'pk' });
  return (await client.send(asked)).Item !== undefined;
}

const isExpired = (expires_at: number): boolean => expires_at * 1000 < Date.now();

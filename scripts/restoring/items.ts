/** Brings back items of a tenant from a table that was restored beside the one in use. */
import {
  ConditionalCheckFailedException,
  type DynamoDBClient,
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
  /** Of one asset alone; all that the tenant had, when absent. */
  readonly assetId?: string | undefined;
  readonly apply: boolean;
}

/**
 * Puts what is no longer there; what is there stays as it is, since it may be newer. Jobs that were under way come back with
 * the entry by which the sweep finds that their executions are over.
 * @returns how many items
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
      FilterExpression: 'begins_with(pk, :own) OR (begins_with(pk, :open) AND tenant = :tenant)',
      ExpressionAttributeValues: {
        ':own': { S: `T#${tenant}#` },
        ':open': { S: 'ADMIN#open_jobs#' },
        ':tenant': { S: tenant },
      },
    },
  );
  for await (const { Items = [] } of pages) {
    for (const item of Items) {
      const isAsked = assetId === undefined || JSON.stringify(unmarshall(item)).includes(assetId);
      if (!isAsked || isExpired(Number(item.expires_at?.N ?? Number.POSITIVE_INFINITY))) continue;
      try {
        const absent = { ConditionExpression: 'attribute_not_exists(pk)' };
        if (apply) await client.send(new PutItemCommand({ TableName: to, Item: item, ...absent }));
        count += 1;
      } catch (error) {
        if (!(error instanceof ConditionalCheckFailedException)) throw error;
      }
    }
  }
  return count;
}

const isExpired = (expires_at: number): boolean => expires_at * 1000 < Date.now();

/** Reads the admin partitions of all tenants. Only operators and schedules use it, never a request of a tenant. */
import {
  type AttributeValue,
  type DynamoDBClient,
  GetItemCommand,
  QueryCommand,
} from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import { type PageOfIds, type Position, pageOfPartitions } from './id-pages.ts';
import { idSource } from './id-ranges.ts';
import type { Key } from './tenant-table.ts';

/** Entries per request. */
const ENTRIES_AT_ONCE = 100;

export class AdminTable {
  readonly #client: DynamoDBClient;
  readonly #table: string;

  constructor(client: DynamoDBClient, table: string) {
    this.#client = client;
    this.#table = table;
  }

  async get<Entry>(key: Key): Promise<Entry | null> {
    const { Item } = await this.#client.send(
      new GetItemCommand({ TableName: this.#table, Key: marshall(key), ConsistentRead: true }),
    );
    return Item === undefined ? null : (unmarshall(Item) as Entry);
  }

  /** All entries of a partition with ids up to `upTo`, oldest first, read page by page. */
  async *upTo<Entry>(partition: string, upTo: string): AsyncGenerator<Entry & Key> {
    let after: Record<string, AttributeValue> | undefined;
    do {
      const { Items = [], LastEvaluatedKey } = await this.#client.send(
        new QueryCommand({
          TableName: this.#table,
          KeyConditionExpression: 'pk = :pk AND sk <= :upTo',
          ExpressionAttributeValues: marshall({ ':pk': partition, ':upTo': upTo }),
          ExclusiveStartKey: after,
          Limit: ENTRIES_AT_ONCE,
          ConsistentRead: true,
        }),
      );
      for (const item of Items) yield unmarshall(item) as Entry & Key;
      after = LastEvaluatedKey;
    } while (after !== undefined);
  }

  /** One page of the ids of a partition, newest first. */
  page(partition: string, position: Position, size: number): Promise<PageOfIds> {
    return pageOfPartitions(idSource(this.#client, this.#table), [[partition]], position, size);
  }
}

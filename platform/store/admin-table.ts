/** What all tenants announced under one admin partition: operators and schedules read it, no request of a tenant does. */
import { type DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import { type PageOfIds, type Position, pageOfPartitions } from './id-pages.ts';
import { idSource } from './id-ranges.ts';
import type { Key } from './table.ts';

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

  /** One page of the ids of a partition, newest first. */
  page(partition: string, position: Position, size: number): Promise<PageOfIds> {
    return pageOfPartitions(idSource(this.#client, this.#table), [[partition]], position, size);
  }
}

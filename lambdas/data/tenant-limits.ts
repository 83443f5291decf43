/** The operator's limits of each tenant: one item beside its keys in the Auth table. */
import { type DynamoDBClient, GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import { type Limits, unlimited } from '../domain/limits.ts';
import type { TenantId } from '../domain/tenant.ts';

const keyOf = (tenant: TenantId) => ({ pk: `TENANT#${tenant}`, sk: 'LIMITS' });

export class TenantLimits {
  readonly #client: DynamoDBClient;
  readonly #table: string;

  constructor(client: DynamoDBClient, table: string) {
    this.#client = client;
    this.#table = table;
  }

  async find(tenant: TenantId): Promise<Limits> {
    const { Item } = await this.#client.send(
      new GetItemCommand({ TableName: this.#table, Key: marshall(keyOf(tenant)) }),
    );
    if (Item === undefined) return unlimited;
    const { requests_per_minute, concurrent_jobs, quotas } = unmarshall(Item) as Limits;
    return { requests_per_minute, concurrent_jobs, quotas };
  }

  async set(tenant: TenantId, limits: Limits): Promise<void> {
    await this.#client.send(
      new PutItemCommand({ TableName: this.#table, Item: marshall({ ...keyOf(tenant), ...limits }) }),
    );
  }
}

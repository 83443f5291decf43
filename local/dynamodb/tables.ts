/** Creates the tables of the template. */
import {
  CreateTableCommand,
  DescribeTableCommand,
  type DynamoDBClient,
  ResourceInUseException,
  ResourceNotFoundException,
  UpdateTimeToLiveCommand,
} from '@aws-sdk/client-dynamodb';
import type { TableView } from '../template/storage.ts';

/** Creates the tables that do not exist. Existing tables stay unchanged. Throws if the key of an existing table differs from the template. */
export async function createMissingTables(client: DynamoDBClient, tables: TableView[]): Promise<void> {
  for (const table of tables) {
    const existing = await describe(client, table.name);
    if (existing) refuseOtherKey(table, existing);
    else await create(client, table);
  }
}

async function describe(client: DynamoDBClient, name: string) {
  try {
    return (await client.send(new DescribeTableCommand({ TableName: name }))).Table;
  } catch (error) {
    if (error instanceof ResourceNotFoundException) return undefined;
    throw error;
  }
}

async function create(client: DynamoDBClient, table: TableView): Promise<void> {
  const request = new CreateTableCommand({
    TableName: table.name,
    KeySchema: table.keySchema,
    AttributeDefinitions: table.attributes,
    BillingMode: 'PAY_PER_REQUEST',
    ...(table.globalIndexes.length > 0 ? { GlobalSecondaryIndexes: table.globalIndexes } : {}),
    ...(table.localIndexes.length > 0 ? { LocalSecondaryIndexes: table.localIndexes } : {}),
  });
  try {
    await client.send(request);
  } catch (error) {
    const madeMeanwhile = error instanceof ResourceInUseException;
    if (!madeMeanwhile) throw error;
  }
  if (!table.ttlAttribute) return;
  const specification = { AttributeName: table.ttlAttribute, Enabled: true };
  await client.send(
    new UpdateTimeToLiveCommand({ TableName: table.name, TimeToLiveSpecification: specification }),
  );
}

function refuseOtherKey(table: TableView, existing: { KeySchema?: unknown }): void {
  if (JSON.stringify(sorted(existing.KeySchema)) === JSON.stringify(sorted(table.keySchema))) return;
  throw new Error(
    `table ${table.name} exists with another key than the template's; npm run reset empties the local cloud`,
  );
}

function sorted(keySchema: unknown) {
  const keys = keySchema as TableView['keySchema'];
  return keys.map(({ AttributeName, KeyType }) => [KeyType, AttributeName]).sort();
}

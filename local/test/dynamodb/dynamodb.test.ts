import { mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  DynamoDBClient,
  PutItemCommand,
  ScanCommand,
  TransactWriteItemsCommand,
} from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { availableEngines, chooseEngine } from '../../dynamodb/engine.ts';
import { deleteExpired } from '../../dynamodb/expiry.ts';
import { type DynamoDb, startDynamoDb } from '../../dynamodb/index.ts';
import { createMissingTables } from '../../dynamodb/tables.ts';
import { createAuthorizer } from '../../iam/authorizer.ts';
import { freePort } from '../../ports.ts';
import { processRecords } from '../../processes.ts';
import type { TableView } from '../../template/storage.ts';

const table: TableView = {
  logicalId: 'Ephemeral',
  name: 'App-dev-Data-Ephemeral',
  keySchema: [
    { AttributeName: 'pk', KeyType: 'HASH' },
    { AttributeName: 'sk', KeyType: 'RANGE' },
  ],
  attributes: [
    { AttributeName: 'pk', AttributeType: 'S' },
    { AttributeName: 'sk', AttributeType: 'S' },
    { AttributeName: 'owner', AttributeType: 'S' },
  ],
  globalIndexes: [
    {
      IndexName: 'by-owner',
      KeySchema: [{ AttributeName: 'owner', KeyType: 'HASH' }],
      Projection: { ProjectionType: 'ALL' },
    },
  ],
  localIndexes: [],
  ttlAttribute: 'expires_at',
};
const credentials = { accessKeyId: 'AKIALOCAL', secretAccessKey: 'secret' };

describe.each(availableEngines().map(({ name }) => name))('with the engine %s', (engine) => {
  const directory = mkdtempSync(join(tmpdir(), 'dynamodb-'));
  mkdirSync(join(directory, 'logs'));
  let dynamodb: DynamoDb;
  let client: DynamoDBClient;

  async function start(): Promise<void> {
    dynamodb = await startDynamoDb({
      directory,
      logDirectory: join(directory, 'logs'),
      port: await freePort(),
      region: 'eu-west-1',
      credentials,
      tables: [table],
      authorizer: createAuthorizer({ account: '000000000000', roles: [], resourcePolicies: [] }),
      accountId: '000000000000',
      records: processRecords(join(directory, 'run')),
      engine,
    });
    client = new DynamoDBClient({ endpoint: dynamodb.url, region: 'eu-west-1', credentials });
  }
  beforeAll(start);
  afterAll(() => dynamodb.stop());

  const put = (pk: string, attributes: Record<string, { S: string } | { N: string }> = {}) =>
    client.send(
      new PutItemCommand({ TableName: table.name, Item: { pk: { S: pk }, sk: { S: 'x' }, ...attributes } }),
    );

  const storedKeys = async () => {
    const { Items = [] } = await client.send(new ScanCommand({ TableName: table.name }));
    return Items.map(({ pk }) => pk?.S);
  };

  it('creates the tables of the template with their keys, indexes and time to live', async () => {
    const { Table } = await client.send(new DescribeTableCommand({ TableName: table.name }));
    expect(Table?.KeySchema).toEqual(table.keySchema);
    expect(Table?.GlobalSecondaryIndexes?.map(({ IndexName }) => IndexName)).toEqual(['by-owner']);
    const ttl = await client.send(new DescribeTimeToLiveCommand({ TableName: table.name }));
    expect(ttl.TimeToLiveDescription).toMatchObject({
      AttributeName: 'expires_at',
      TimeToLiveStatus: 'ENABLED',
    });
  });

  it('serves the AWS SDK client without changes, also for transactions and conditions', async () => {
    const Item = { pk: { S: 'once' }, sk: { S: 'x' } };
    const Put = { TableName: table.name, Item, ConditionExpression: 'attribute_not_exists(pk)' };
    const transaction = new TransactWriteItemsCommand({ TransactItems: [{ Put }] });
    await client.send(transaction);
    await expect(client.send(transaction)).rejects.toThrow('ConditionalCheckFailed');
  });

  it('leaves existing tables unchanged', async () => {
    await put('kept');
    await createMissingTables(client, [table]);
    expect(await storedKeys()).toContain('kept');
  });

  it('refuses a table whose key has changed, and says how to fix it', async () => {
    const changed = { ...table, keySchema: [{ AttributeName: 'pk', KeyType: 'HASH' as const }] };
    await expect(createMissingTables(client, [changed])).rejects.toThrow('npm run reset');
  });

  it('deletes only expired items', async () => {
    const now = 1_800_000_000;
    await put('expired', { expires_at: { N: String(now - 1) } });
    await put('alive', { expires_at: { N: String(now + 1) } });
    await put('forever');
    expect(await deleteExpired(client, [table], now * 1000)).toBe(1);
    const names = await storedKeys();
    expect(names).toEqual(expect.arrayContaining(['alive', 'forever']));
    expect(names).not.toContain('expired');
  });

  it('keeps all data over a restart', async () => {
    await put('durable');
    client.destroy();
    await dynamodb.stop();
    await start();
    expect(await storedKeys()).toContain('durable');
  });
});

it('says how to install an engine that cannot run on this machine', () => {
  expect(() => chooseEngine('nothing')).toThrow('Install Java 17');
});

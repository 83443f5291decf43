/** A real DynamoDB engine for tests: one process per test file, with empty tables. */
import { type ChildProcess, spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { CreateTableCommand, DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { freePort } from '../../local/ports.ts';

export interface TestDynamoDb {
  readonly client: DynamoDBClient;
  readonly url: string;
  close(): Promise<void>;
}

/** Starts the engine in memory, with the product's three tables. */
export async function startDynamoDb(): Promise<TestDynamoDb> {
  const port = await freePort();
  const child = spawn(engine(), ['--host', '127.0.0.1', '--port', String(port)], { stdio: 'ignore' });
  const url = `http://127.0.0.1:${port}`;
  const client = new DynamoDBClient({
    endpoint: url,
    region: 'us-east-1',
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
  });
  await answering(client);
  for (const TableName of ['Core', 'Auth', 'Ephemeral']) {
    await client.send(
      new CreateTableCommand({
        TableName,
        BillingMode: 'PAY_PER_REQUEST',
        AttributeDefinitions: [
          { AttributeName: 'pk', AttributeType: 'S' },
          { AttributeName: 'sk', AttributeType: 'S' },
        ],
        KeySchema: [
          { AttributeName: 'pk', KeyType: 'HASH' },
          { AttributeName: 'sk', KeyType: 'RANGE' },
        ],
      }),
    );
  }
  return { client, url, close: () => ended(child, client) };
}

function engine(): string {
  const manifest = createRequire(import.meta.url).resolve('@dynoxide/linux-x64/package.json');
  return join(dirname(manifest), 'dynoxide');
}

async function answering(client: DynamoDBClient): Promise<void> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      await client.send(new ListTablesCommand({}));
      return;
    } catch (error) {
      if (attempt === 100) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

function ended(child: ChildProcess, client: DynamoDBClient): Promise<void> {
  client.destroy();
  return new Promise((resolve) => {
    child.once('exit', () => resolve());
    child.kill('SIGKILL');
  });
}

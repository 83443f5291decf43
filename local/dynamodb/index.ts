/** DynamoDB: an engine as a child process, with the template's tables in it. */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { type Child, startChild } from '../child.ts';
import type { ProcessRecords } from '../processes.ts';
import type { TableView } from '../template/storage.ts';
import { chooseEngine, type EngineName } from './engine.ts';
import { deleteExpired } from './expiry.ts';
import { createMissingTables } from './tables.ts';

export type DynamoDbOptions = {
  directory: string;
  logDirectory: string;
  /** One that is free: the engines take no 0. */
  port: number;
  region: string;
  credentials: { accessKeyId: string; secretAccessKey: string };
  tables: TableView[];
  records: ProcessRecords;
  /** `dynoxide` or `dynamodb-local`; the best available when absent. */
  engine?: string;
};

export type DynamoDb = { url: string; engine: EngineName; exited: Promise<string>; stop(): Promise<void> };

/** DynamoDB Local on a busy machine takes its time. */
const START_TIMEOUT_MS = 60_000;

const SWEEP_EVERY_MS = 60 * 60_000;

/** Resolves when the engine answers and all tables exist. */
export async function startDynamoDb(options: DynamoDbOptions): Promise<DynamoDb> {
  const { directory, port, records, tables } = options;
  const engine = chooseEngine(options.engine);
  const logFile = join(options.logDirectory, 'dynamodb.log');
  const child = startChild({
    what: `DynamoDB (${engine.name})`,
    ...engine.command(directory, port),
    logFile,
    records,
  });
  const url = `http://127.0.0.1:${port}`;
  const client = new DynamoDBClient({
    endpoint: url,
    region: options.region,
    credentials: options.credentials,
  });
  try {
    await untilItAnswers(client, child, logFile);
    await createMissingTables(client, tables);
  } catch (error) {
    await child.stop();
    throw error;
  }

  const timer = setInterval(() => {
    // A sweep that fails is made good by the next; the log says why.
    deleteExpired(client, tables, Date.now()).catch((error: unknown) => console.error('expiry:', error));
  }, SWEEP_EVERY_MS);
  timer.unref();
  return {
    url,
    engine: engine.name,
    exited: child.exited,
    stop: async () => {
      clearInterval(timer);
      client.destroy();
      await child.stop();
    },
  };
}

async function untilItAnswers(client: DynamoDBClient, child: Child, logFile: string): Promise<void> {
  let end: string | undefined;
  void child.exited.then((how) => {
    end = how;
  });
  for (const deadline = Date.now() + START_TIMEOUT_MS; Date.now() < deadline; await sleep(25)) {
    if (end) throw new Error(`DynamoDB ended at its start (${end}); see ${logFile}`);
    try {
      await client.send(new ListTablesCommand({}), { requestTimeout: 5_000 });
      return;
    } catch {
      // It does not listen yet.
    }
  }
  throw new Error(`DynamoDB does not answer after ${START_TIMEOUT_MS / 1000} s; see ${logFile}`);
}

/** DynamoDB: an engine as a child process behind the door (`door.ts`), with the tables of the template. */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { type Child, startChild } from '../child.ts';
import type { HeldPort, Listening } from '../listen.ts';
import type { ProcessRecords } from '../processes.ts';
import type { TableView } from '../template/storage.ts';
import { type DoorPermissions, hiddenPlace, openDoor } from './door.ts';
import { chooseEngine, type EngineName } from './engine.ts';
import { deleteExpired } from './expiry.ts';
import { createMissingTables } from './tables.ts';

export type DynamoDbOptions = {
  directory: string;
  logDirectory: string;
  /** The port of the door. 0 chooses any free port. */
  port: number | HeldPort;
  region: string;
  /** The access key of the operator. */
  credentials: { accessKeyId: string; secretAccessKey: string };
  tables: TableView[];
  authorizer: DoorPermissions['authorizer'];
  accountId: string;
  records: ProcessRecords;
  /** `dynoxide` or `dynamodb-local`. Default: the best one available. */
  engine?: string;
};

export type DynamoDb = { url: string; engine: EngineName; exited: Promise<string>; stop(): Promise<void> };

/** The time limit for the start of an engine, ms. DynamoDB Local is slow on a busy machine. */
const START_TIMEOUT_MS = 60_000;

const SWEEP_EVERY_MS = 60 * 60_000;

/** Resolves when the engine answers and all tables exist. */
export async function startDynamoDb(options: DynamoDbOptions): Promise<DynamoDb> {
  const { directory, records, tables, region, credentials } = options;
  const engine = chooseEngine(options.engine);
  const place = await hiddenPlace(engine);
  const logFile = join(options.logDirectory, 'dynamodb.log');
  const child = startChild({
    what: `DynamoDB (${engine.name})`,
    ...engine.command(directory, place),
    logFile,
    records,
  });
  const clientOf = (endpoint: string) => new DynamoDBClient({ endpoint, region, credentials });
  let door: Listening | undefined;
  let client: DynamoDBClient;
  try {
    await untilItAnswers(clientOf(`http://${place.host}:${place.port}`), child, logFile);
    door = await openDoor({
      port: options.port,
      engine: place,
      trust: { region, service: 'dynamodb', credentials },
      permissions: { authorizer: options.authorizer, region, account: options.accountId, tables },
    });
    client = clientOf(door.url);
    await createMissingTables(client, tables);
  } catch (error) {
    await door?.close(0);
    await child.stop();
    throw error;
  }

  const timer = setInterval(() => {
    // If a sweep fails, the next sweep deletes the expired items. The error is logged.
    deleteExpired(client, tables, Date.now()).catch((error: unknown) => console.error('expiry:', error));
  }, SWEEP_EVERY_MS);
  timer.unref();
  const { url, close } = door;
  return {
    url,
    engine: engine.name,
    exited: child.exited,
    stop: async () => {
      clearInterval(timer);
      client.destroy();
      await close();
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
      // The engine does not listen yet. The loop tries again.
    }
  }
  throw new Error(`DynamoDB does not answer after ${START_TIMEOUT_MS / 1000} s; see ${logFile}`);
}

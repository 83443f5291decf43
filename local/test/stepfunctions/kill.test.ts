import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  DescribeExecutionCommand,
  GetExecutionHistoryCommand,
  SendTaskSuccessCommand,
  SFNClient,
  StartExecutionCommand,
} from '@aws-sdk/client-sfn';
import { afterEach, describe, expect, it } from 'vitest';
import { machineArn, REGION } from './harness.ts';

const serverFile = join(import.meta.dirname, 'durable-server.ts');
const executionArn = 'arn:aws:states:eu-west-1:123456789012:execution:m:one';

const dirs: string[] = [];
const servers = new Set<ChildProcess>();

afterEach(async () => {
  for (const server of servers) await kill(server);
  for (const dir of dirs.splice(0)) await rm(dir, { recursive: true });
});

async function newDir(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'stepfunctions-'));
  dirs.push(dir);
  return dir;
}

/** An execution may take so long after the last kill of its server. It takes a few seconds. */
const LONGEST_MS = 120_000;

/** @throws where the server ends instead of listening */
async function serve(dir: string): Promise<{ server: ChildProcess; client: SFNClient }> {
  const server = spawn(process.execPath, [serverFile, dir], { stdio: ['ignore', 'pipe', 'inherit'] });
  servers.add(server);
  const ended = once(server, 'exit').then(([code, signal]) => {
    throw new Error(`the server ended at its start: ${signal ?? `exit status ${code}`}`);
  });
  const [port] = (await Promise.race([once(server.stdout!, 'data'), ended])) as [Buffer];
  ended.catch(() => {});
  const client = new SFNClient({
    endpoint: `http://127.0.0.1:${port.toString().trim()}`,
    region: REGION,
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
    maxAttempts: 1,
  });
  return { server, client };
}

async function kill(server: ChildProcess): Promise<void> {
  servers.delete(server);
  if (server.exitCode !== null || server.signalCode !== null) return;
  server.kill('SIGKILL');
  await once(server, 'exit');
}

async function start(client: SFNClient): Promise<void> {
  const input = JSON.stringify({ items: [1, 2, 3, 4, 5] });
  await client.send(new StartExecutionCommand({ stateMachineArn: machineArn('m'), name: 'one', input }));
}

const describeIt = (client: SFNClient) => client.send(new DescribeExecutionCommand({ executionArn }));

async function historyOf(client: SFNClient) {
  const request = new GetExecutionHistoryCommand({ executionArn, maxResults: 1000 });
  return (await client.send(request)).events ?? [];
}

/**
 * The execution's description once it is over.
 * @throws where it never is, with what it did last
 */
async function followed(client: SFNClient) {
  for (const deadline = performance.now() + LONGEST_MS; performance.now() < deadline; await pause(20)) {
    const description = await describeIt(client);
    if (description.status !== 'RUNNING') return description;
  }
  throw new Error(`it still runs after ${JSON.stringify((await historyOf(client)).slice(-8), null, 1)}`);
}

interface Effect {
  idempotencyKey: string;
  name: string;
  payload: unknown;
}

async function effectsIn(dir: string): Promise<Effect[]> {
  const files = await readdir(join(dir, 'effects'));
  const texts = await Promise.all(files.map((file) => readFile(join(dir, 'effects', file), 'utf8')));
  return texts.map((text) => JSON.parse(text) as Effect);
}

const keysOf = (effects: Effect[]) => effects.map(({ idempotencyKey }) => idempotencyKey).sort();

/** Answers each task token, and repeats the answer until a server has taken it. */
function worker(dir: string, client: () => SFNClient): { stop(): Promise<void> } {
  const taken = new Set<unknown>();
  let isStopped = false;
  const tell = async (taskToken: unknown): Promise<void> => {
    const answer = { taskToken: taskToken as string, output: '"called back"' };
    const isTaken = await client()
      .send(new SendTaskSuccessCommand(answer))
      .then(
        () => true,
        // An answer that a server had taken when it was killed is refused by the next.
        (error: Error) => error.name === 'TaskTimedOut',
      );
    if (isTaken) taken.add(taskToken);
  };
  const work = async (): Promise<void> => {
    for (; !isStopped; await pause(10)) {
      const tokens = (await effectsIn(dir)).filter(({ name }) => name === 'callback');
      for (const { payload } of tokens) if (!taken.has(payload)) await tell(payload);
    }
  };
  const working = work();
  return {
    stop: () => {
      isStopped = true;
      return working;
    },
  };
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

async function uninterrupted() {
  const dir = await newDir();
  const { server, client } = await serve(dir);
  const { stop } = worker(dir, () => client);
  await start(client);
  const { output } = await followed(client);
  await stop();
  await kill(server);
  return { output, keys: keysOf(await effectsIn(dir)) };
}

describe('a server killed with SIGKILL at random points', () => {
  it('finishes the execution with the same result, and each effect happens once', async () => {
    const expected = await uninterrupted();
    const dir = await newDir();
    let { server, client } = await serve(dir);
    const { stop } = worker(dir, () => client);
    await start(client);
    let kills = 0;
    while (kills < 10 && (await describeIt(client)).status === 'RUNNING') {
      await pause(Math.random() * 400);
      await kill(server);
      kills += 1;
      ({ server, client } = await serve(dir));
    }
    const description = await followed(client);
    await stop();
    expect(kills).toBeGreaterThan(1);
    expect(description).toMatchObject({ status: 'SUCCEEDED', output: expected.output });
    expect(keysOf(await effectsIn(dir))).toEqual(expected.keys);
    const events = await historyOf(client);
    expect(events.map(({ id }) => id)).toEqual(events.map((_, index) => index + 1));
    expect(events.at(-1)?.type).toBe('ExecutionSucceeded');
  });
});

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  DescribeExecutionCommand,
  GetExecutionHistoryCommand,
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

async function serve(dir: string): Promise<{ server: ChildProcess; client: SFNClient }> {
  const server = spawn(process.execPath, [serverFile, dir], { stdio: ['ignore', 'pipe', 'inherit'] });
  servers.add(server);
  const [port] = (await once(server.stdout!, 'data')) as [Buffer];
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

/** The execution's description once it is over, or when `until` has passed. */
async function follow(client: SFNClient, until = Number.POSITIVE_INFINITY) {
  for (;;) {
    const description = await client.send(new DescribeExecutionCommand({ executionArn }));
    if (description.status !== 'RUNNING' || performance.now() >= until) return description;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

async function effectsIn(dir: string): Promise<string[]> {
  const files = await readdir(join(dir, 'effects'));
  const effects = await Promise.all(files.map((file) => readFile(join(dir, 'effects', file), 'utf8')));
  return effects.map((effect) => (JSON.parse(effect) as { idempotencyKey: string }).idempotencyKey).sort();
}

async function uninterrupted() {
  const dir = await newDir();
  const { server, client } = await serve(dir);
  await start(client);
  const description = await follow(client);
  await kill(server);
  return { output: description.output, effects: await effectsIn(dir) };
}

describe('a server killed with SIGKILL at random points', () => {
  it('finishes the execution as if nothing had been, each effect having happened once', async () => {
    const expected = await uninterrupted();
    const dir = await newDir();
    let { server, client } = await serve(dir);
    await start(client);
    let kills = 0;
    let description = await follow(client, performance.now());
    while (description.status === 'RUNNING' && kills < 10) {
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 400));
      await kill(server);
      kills += 1;
      ({ server, client } = await serve(dir));
      description = await follow(client, performance.now());
    }
    description = await follow(client);
    expect(kills).toBeGreaterThan(1);
    expect(description).toMatchObject({ status: 'SUCCEEDED', output: expected.output });
    expect(await effectsIn(dir)).toEqual(expected.effects);
    const { events = [] } = await client.send(
      new GetExecutionHistoryCommand({ executionArn, maxResults: 1000 }),
    );
    expect(events.map(({ id }) => id)).toEqual(events.map((_, index) => index + 1));
    expect(events.at(-1)?.type).toBe('ExecutionSucceeded');
  }, 300_000);
});

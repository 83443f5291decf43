import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DynamoDBClient, ListTablesCommand, PutItemCommand, ScanCommand } from '@aws-sdk/client-dynamodb';
import { ListBucketsCommand, S3Client } from '@aws-sdk/client-s3';
import {
  DescribeExecutionCommand,
  ListStateMachinesCommand,
  SFNClient,
  StartExecutionCommand,
} from '@aws-sdk/client-sfn';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { type LocalCloud, startLocalCloud } from '../../local/cloud.ts';
import { birthOf } from '../../local/processes.ts';
import type { Ready } from '../../local/ready.ts';
import { findRunning } from '../../local/running.ts';
import { productOf } from '../../toolchain/product.ts';
import { writeProduct } from './product.ts';

const assembly = writeProduct();
const product = productOf(assembly);
const newDirectory = () => join(mkdtempSync(join(tmpdir(), 'cloud-')), 'local');

const started: ChildProcess[] = [];
afterEach(async () => {
  for (const child of started.splice(0)) {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGTERM');
      await new Promise((resolve) => child.once('exit', resolve));
    }
  }
});

function run(program: string, dir: string, ...args: string[]) {
  const child = spawn(process.execPath, [program, ...args], {
    env: { ...process.env, KINORA_LOCAL_DIR: dir, KINORA_ASSEMBLY: assembly, PORT_API: '0', PORT_SITE: '0' },
  });
  started.push(child);
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      text += chunk;
    });
  }
  const exit = new Promise<number | null>((resolve) => child.once('exit', resolve));
  return { child, exit, text: () => text };
}

async function runUp(dir = newDirectory()) {
  const up = run('scripts/start.ts', dir);
  const ready = await vi
    .waitFor(() => readReady(dir, up.child.pid), { timeout: 120_000, interval: 50 })
    .catch(() => {
      throw new Error(`not ready: ${up.text()}`);
    });
  const end = (signal: NodeJS.Signals) => {
    up.child.kill(signal);
    return up.exit;
  };
  return { ...up, dir, ready, end };
}

function readReady(dir: string, pid: number | undefined): Ready {
  const ready = JSON.parse(readFileSync(join(dir, 'ready.json'), 'utf8')) as Ready;
  expect(ready.pid).toBe(pid);
  return ready;
}

const childrenOf = (dir: string) =>
  readdirSync(join(dir, 'processes')).map((file) => Number.parseInt(file, 10));
const areGone = (pids: number[]) =>
  vi.waitFor(() => expect(pids.filter((pid) => birthOf(pid) !== undefined)).toEqual([]), 10_000);

/** The answer to a GET with another host; `fetch` sends only the host of the address. */
const statusFor = (url: string, headers: Record<string, string>) =>
  new Promise<number | undefined>((resolve, reject) => {
    const asked = request(url, { headers }, (answer) => {
      answer.resume();
      resolve(answer.statusCode);
    });
    asked.once('error', reject).end();
  });

const clientOptions = ({ region, access_key_id, secret_access_key }: Ready) => ({
  region,
  credentials: { accessKeyId: access_key_id, secretAccessKey: secret_access_key },
});

describe('a local cloud', () => {
  const dir = newDirectory();
  const lines: string[] = [];
  let cloud: LocalCloud;
  beforeAll(async () => {
    cloud = await startLocalCloud({
      dir,
      portApi: 0,
      portSite: 0,
      product,
      report: (line) => lines.push(line),
    });
  });
  afterAll(() => cloud.stop());

  it('serves the routes of the template, with local addresses in the environment', async () => {
    const answer = await fetch(`${cloud.ready.api_url}/hello`);
    expect(await answer.json()).toEqual({
      path: '/hello',
      authorization: null,
      ENGINES: 'local',
      SITE_URL: cloud.ready.site_url,
      AWS_ENDPOINT_URL_S3: cloud.ready.s3_url,
      AWS_ENDPOINT_URL_DYNAMODB: cloud.ready.dynamodb_url,
      AWS_ENDPOINT_URL_SFN: cloud.ready.stepfunctions_url,
      AWS_ENDPOINT_URL_STS: cloud.ready.sts_url,
    });
  });

  it('has the tables, buckets and state machines of the template for AWS SDK clients without changes', async () => {
    const options = clientOptions(cloud.ready);
    const { ready } = cloud;
    const tables = await new DynamoDBClient({ ...options, endpoint: ready.dynamodb_url }).send(
      new ListTablesCommand({}),
    );
    expect(tables.TableNames).toEqual(['Kinora-dev-Data-Auth']);
    const buckets = await new S3Client({ ...options, endpoint: ready.s3_url, forcePathStyle: true }).send(
      new ListBucketsCommand({}),
    );
    expect(buckets.Buckets?.map(({ Name }) => Name)).toEqual(['kinora-dev-data-media']);
    const machines = await new SFNClient({ ...options, endpoint: ready.stepfunctions_url }).send(
      new ListStateMachinesCommand({}),
    );
    expect(machines.stateMachines?.map(({ name }) => name)).toEqual(['Machine']);
  });

  it('refuses requests for another host, which a page could send by DNS rebinding', async () => {
    const { api_url, s3_url, dynamodb_url, stepfunctions_url, sts_url } = cloud.ready;
    const statuses = await Promise.all(
      [api_url, s3_url, dynamodb_url, stepfunctions_url, sts_url].map((url) =>
        statusFor(url, { host: `rebound.example:${new URL(url).port}` }),
      ),
    );
    expect(statuses).toEqual([403, 403, 403, 403, 403]);
  });

  it('lets no web page and no request with a forged signature store an API key', async () => {
    const { dynamodb_url: url, auth_table: TableName } = cloud.ready;
    const origin = 'https://evil.example';
    const preflight = await fetch(url, {
      method: 'OPTIONS',
      headers: {
        origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'x-amz-target,authorization',
      },
    });
    expect([preflight.ok, preflight.headers.get('access-control-allow-origin')]).toEqual([false, null]);

    const options = { ...clientOptions(cloud.ready), endpoint: url };
    const { accessKeyId } = options.credentials;
    const forger = new DynamoDBClient({ ...options, credentials: { accessKeyId, secretAccessKey: 'guess' } });
    const planted = { pk: { S: 'KEY#planted' }, sk: { S: 'K' } };
    await expect(forger.send(new PutItemCommand({ TableName, Item: planted }))).rejects.toMatchObject({
      name: 'InvalidSignatureException',
    });
    const owner = new DynamoDBClient(options);
    const { Items = [], $metadata } = await owner.send(new ScanCommand({ TableName }));
    expect(Items.map(({ pk }) => pk?.S)).not.toContain('KEY#planted');
    expect($metadata.httpStatusCode).toBe(200);
  });

  it('stores its files so that only their owner can read them', () => {
    const modeOf = (path: string) => statSync(join(dir, path)).mode & 0o777;
    for (const folder of ['', 'dynamodb', 's3', 'stepfunctions', 'roles', 'logs'])
      expect(modeOf(folder)).toBe(0o700);
    for (const file of ['ready.json', 'credentials.json', 's3.json']) expect(modeOf(file)).toBe(0o600);
  });

  it('prints the address of each part at the start', () => {
    for (const part of ['DynamoDB', 'S3', 'Step Functions', 'API']) {
      expect(lines).toContainEqual(
        expect.stringMatching(new RegExp(`^${part}: .* on http://127.0.0.1:\\d+ \\(`)),
      );
    }
  });

  it('prints which schedules run, and which do not', () => {
    expect(lines).toContainEqual(expect.stringMatching(/^Schedules: 1 by the clock \(/));
    expect(lines).toContainEqual(
      expect.stringMatching(/^Not run here: the schedule AtNight, cron\(0 3 \* \* \? \*\): /),
    );
  });

  it('has a site that explains it and links to the API', async () => {
    expect(await (await fetch(`${cloud.ready.site_url}/developers`)).text()).toContain(cloud.ready.api_url);
    expect((await fetch(`${cloud.ready.site_url}/nothing`)).status).toBe(404);
  });

  it('refuses a given port that another program uses', async () => {
    const portApi = Number(new URL(cloud.ready.api_url).port);
    const other = startLocalCloud({ dir: newDirectory(), portApi, portSite: 0, product });
    await expect(other).rejects.toThrow(`port ${portApi} is taken by another program`);
  });

  it('refuses a second start in the same directory', async () => {
    await expect(startLocalCloud({ dir, portApi: 0, portSite: 0, product })).rejects.toThrow('in use');
  });
});

describe('npm start', () => {
  it('writes ready.json when all parts are ready, and ends with all its child processes on SIGTERM', async () => {
    const { dir, end, ready, text } = await runUp();
    expect(ready.api_key).toMatch(/^knr_test_/);
    expect((await fetch(`${ready.api_url}/hello`)).status).toBe(200);
    const children = childrenOf(dir);
    expect(children.length).toBeGreaterThanOrEqual(3);
    expect(await end('SIGTERM')).toBe(0);
    await areGone(children);
    expect(existsSync(join(dir, 'ready.json'))).toBe(false);
    expect(text()).toContain('npm run demo');
  });

  it('keeps ports, credentials and the API key over a restart', async () => {
    const first = await runUp();
    const { dir } = first;
    expect(await first.end('SIGINT')).toBe(0);
    const second = await runUp(dir);
    for (const name of [
      'api_key',
      's3_url',
      'dynamodb_url',
      'stepfunctions_url',
      'sts_url',
      'secret_access_key',
    ] as const) {
      expect(second.ready[name]).toBe(first.ready[name]);
    }
  });

  it('reports the running local cloud if it is started twice, and succeeds', async () => {
    const { dir, ready } = await runUp();
    const second = run('scripts/start.ts', dir);
    expect(await second.exit).toBe(0);
    expect(second.text()).toContain(`runs already (pid ${ready.pid})`);
    expect(second.text()).toContain(ready.api_url);
    // Ctrl-C would end nothing: the one that runs is in another terminal, or behind the demo.
    expect(second.text()).toMatch(/Stop +npm stop/);
    expect(await findRunning(dir)).toEqual(ready);
  });

  it('starts again after kill -9, finishes the running jobs, and leaves no child process', async () => {
    const dir = newDirectory();
    const file = join(dir, 'steps');
    const first = await runUp(dir);
    const sfn = (ready: Ready) =>
      new SFNClient({ ...clientOptions(ready), endpoint: ready.stepfunctions_url });
    const { executionArn } = await sfn(first.ready).send(
      new StartExecutionCommand({
        stateMachineArn: 'arn:aws:states:us-east-1:000000000000:stateMachine:Machine',
        input: JSON.stringify({ file }),
      }),
    );
    await vi.waitFor(() => expect(existsSync(file)).toBe(true), 10_000);
    const children = childrenOf(dir);
    await first.end('SIGKILL');
    await areGone(children);

    const second = await runUp(dir);
    const describe = () => sfn(second.ready).send(new DescribeExecutionCommand({ executionArn }));
    await vi.waitFor(async () => expect((await describe()).status).toBe('SUCCEEDED'), 20_000);
    expect((await describe()).output).toBe(JSON.stringify({ file }));
    const requestIds = readFileSync(file, 'utf8').match(/(?<=begun ).*/g);
    expect(new Set(requestIds).size).toBe(1);
  });

  it('ends the processes of a killed run, although they received no signal', async () => {
    const first = await runUp();
    const { dir } = first;
    await first.end('SIGTERM');
    const orphan = spawn('sleep', ['600'], { detached: true, stdio: 'ignore' });
    const pid = orphan.pid ?? 0;
    const record = (birth: string | undefined) => JSON.stringify({ pid, birth, what: 'Orphan' });
    writeFileSync(join(dir, 'processes', `${pid}.json`), record('of another process'));
    const second = await runUp(dir);
    expect(birthOf(pid)).toBeDefined();
    await second.end('SIGTERM');

    writeFileSync(join(dir, 'processes', `${pid}.json`), record(birthOf(pid)));
    const third = await runUp(dir);
    expect(third.text()).toContain('Ended Orphan');
    await areGone([pid]);
  });

  it('ends with an error that names the log if a part fails', async () => {
    const { dir, exit, text } = await runUp();
    const records = childrenOf(dir).map((pid) => readFileSync(join(dir, 'processes', `${pid}.json`), 'utf8'));
    const s3 = records.map((record) => JSON.parse(record)).find(({ what }) => what === 'S3');
    process.kill(s3.pid, 'SIGKILL');
    expect(await exit).toBe(1);
    expect(text()).toContain('S3 ended (signal: SIGKILL)');
  });

  it('refuses a directory that is not its own, and changes nothing in it', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'mine-'));
    writeFileSync(join(dir, 'thesis.txt'), 'years of work');
    const up = run('scripts/start.ts', dir);
    expect(await up.exit).toBe(1);
    expect(up.text()).toContain('KINORA_LOCAL_DIR');
    const reset = run('scripts/reset.ts', dir);
    expect(await reset.exit).toBe(1);
    expect(readdirSync(dir)).toEqual(['thesis.txt']);
  });
});

describe('the commands for a running local cloud', () => {
  it('npm stop ends it from another terminal; npm run reset empties the directory only after that', async () => {
    const { dir, exit } = await runUp();
    const tooEarly = run('scripts/reset.ts', dir);
    expect(await tooEarly.exit).toBe(1);
    expect(tooEarly.text()).toContain('npm stop');

    const stop = run('scripts/stop.ts', dir);
    expect(await stop.exit).toBe(0);
    expect(await exit).toBe(0);
    expect(await run('scripts/reset.ts', dir).exit).toBe(0);
    expect(readdirSync(dir)).toEqual([]);
  });

  it('npm run invoke starts the cloud if needed, and runs the bundle of the function, a sample with the local key', async () => {
    const dir = newDirectory();
    const event = join(mkdtempSync(join(tmpdir(), 'event-')), 'event.json');
    writeFileSync(event, JSON.stringify({ rawPath: '/from-a-file' }));
    const invoke = run('scripts/invoke.ts', dir, 'Hello', event);
    expect(await invoke.exit).toBe(0);
    expect(invoke.text()).toContain('/from-a-file');
    expect(invoke.text()).toContain('"authorization": null');

    writeFileSync(event, JSON.stringify({ requestContext: { requestId: 'sample-request' } }));
    const sample = run('scripts/invoke.ts', dir, 'Hello', event);
    expect(await sample.exit).toBe(0);
    expect(sample.text()).toMatch(/"authorization": "Bearer knr_test_/);

    const unknown = run('scripts/invoke.ts', dir, 'Nothing', event);
    expect(await unknown.exit).toBe(2);
    expect(unknown.text()).toContain('Known functions: Hello, Slow');
    expect(await run('scripts/stop.ts', dir).exit).toBe(0);
  });
});

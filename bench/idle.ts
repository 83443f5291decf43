/**
 * Measures the start time of the local cloud, the memory of its processes, and its response times after a minute
 * without requests.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { layoutOf } from '../local/layout.ts';
import { freePort } from '../local/ports.ts';
import { type Ready, readReady } from '../local/ready.ts';
import { cpuOf, tree, type Weighed } from './idle/processes.ts';
import { median, type Report, type Row } from './report.ts';

const root = join(import.meta.dirname, '..');
const LATER_STARTS = 3;
const WARM_REQUESTS = 20;
const IDLE_MS = 60_000;

/** A separate function answers each path. */
const paths = ['assets', 'jobs', 'languages', 'templates', 'collections', 'webhooks', 'usages/current_month'];

interface Started {
  readonly process: ChildProcess;
  readonly ready: Ready;
  /** Seconds from start to ready, in wall time and in processor time, without the time of npm itself. */
  readonly seconds: number;
  readonly cpu: number;
}

export async function run(): Promise<Report> {
  const busy = busyness();
  const dir = mkdtempSync(join(tmpdir(), 'kinora-bench-'));
  // The ports are the same at each start, as for users, because the site is built for these addresses.
  const ports = { PORT_API: String(await freePort()), PORT_SITE: String(await freePort()) };
  const start = () => started(dir, ports);
  try {
    const first = await start();
    await stop(first);
    const later: Started[] = [];
    for (let round = 0; round < LATER_STARTS; round += 1) {
      later.push(await start());
      if (round < LATER_STARTS - 1) await stop(later.at(-1)!);
    }
    const cloud = later.at(-1)!;
    const fresh = tree(cloud.process.pid!);
    const cold = await requests(cloud.ready, paths);
    const warm = await requests(
      cloud.ready,
      paths.flatMap((path) => Array<string>(WARM_REQUESTS).fill(path)),
    );
    const used = tree(cloud.process.pid!);
    await sleep(IDLE_MS);
    const idle = tree(cloud.process.pid!);
    const again = await requests(cloud.ready, paths);
    await stop(cloud);
    return {
      title: 'An idle local cloud',
      method:
        `\`npm start\` until it says that it is ready; built already, its directory new for the first start. Then ` +
        `${paths.length} resources are asked, each a function of its own, ${WARM_REQUESTS} times, and left alone for ` +
        `${IDLE_MS / 1000} s. Memory is PSS from smaps_rollup, summed over npm and all that descends from it. ` +
        'Processor time is that of the cloud itself and of what it waited for.',
      columns: ['', 'processor, s'],
      rows: [
        timed('first start, s', first.seconds, first.cpu),
        timed('later start, s', median(later.map(seconds)), median(later.map(({ cpu }) => cpu))),
        row('first request of a function, ms', median(cold)),
        row('warm request, ms', median(warm)),
        row('first request after idleness, ms', median(again)),
        row('the slowest of them, ms', Math.max(...again)),
        ...weights('ready', fresh),
        ...weights('used', used),
        ...weights('idle', idle),
      ],
      void: busy,
    };
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

/** The times are not valid if other programs used the same processors. */
function busyness(): string | null {
  const [load = 0] = loadavg();
  return load > availableParallelism() / 2 ? `The load was ${load.toFixed(1)} before it began.` : null;
}

async function started(dir: string, ports: Record<string, string>): Promise<Started> {
  const began = performance.now();
  const child = spawn('npm', ['start'], {
    cwd: root,
    stdio: 'ignore',
    env: { ...process.env, KINORA_LOCAL_DIR: dir, ...ports },
  });
  const gone = new Promise<never>((_, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`npm start ended (exit status ${code})`)));
  });
  gone.catch(() => {});
  const ready = await Promise.race([gone, untilReady(dir)]);
  return { process: child, ready, seconds: (performance.now() - began) / 1000, cpu: cpuOf(ready.pid) };
}

async function untilReady(dir: string): Promise<Ready> {
  for (;;) {
    const ready = await readReady(layoutOf(dir).ready);
    if (ready !== undefined) return ready;
    await sleep(20);
  }
}

async function stop({ process: child, ready }: Started): Promise<void> {
  const ended = new Promise((resolve) => child.once('exit', resolve));
  process.kill(ready.pid, 'SIGTERM');
  await ended;
}

/** Sends the requests one after another. Returns the milliseconds of each. */
async function requests({ api_url, api_key }: Ready, wanted: readonly string[]): Promise<number[]> {
  const times: number[] = [];
  for (const path of wanted) {
    const began = performance.now();
    const answer = await fetch(`${api_url}/v1/${path}`, { headers: { authorization: `Bearer ${api_key}` } });
    await answer.bytes();
    if (!answer.ok) throw new Error(`GET /v1/${path} was answered with ${answer.status}`);
    times.push(performance.now() - began);
  }
  return times;
}

const seconds = (one: Started) => one.seconds;
const row = (name: string, value: number): Row => ({ name, values: [value.toFixed(0), ''] });
const timed = (name: string, wall: number, cpu: number): Row => ({
  name,
  values: [wall.toFixed(1), cpu.toFixed(1)],
});

const kinds: readonly (readonly [kind: string, command: RegExp])[] = [
  ['functions', /local\/lambda\/worker\.ts/],
  ['S3', /local\/s3\/main\.ts/],
  ['DynamoDB', /dynoxide|DynamoDBLocal/],
  ['the cloud itself', /scripts\/start\.ts/],
];

/**
 * Returns the total memory, and the memory of each kind of process. The commands of npm, its shell and bootstrap.mjs
 * contain start.ts as well, so they are a kind of their own.
 */
function weights(when: string, processes: readonly Weighed[]): Row[] {
  const kindOf = ({ command }: Weighed) =>
    /^npm |bootstrap\.mjs/.test(command)
      ? 'npm'
      : (kinds.find(([, found]) => found.test(command))?.[0] ?? 'other');
  const groups = [...Map.groupBy(processes, kindOf)];
  const sum = (some: readonly Weighed[]) => some.reduce((all, { pss }) => all + pss, 0) / 1e6;
  return [
    row(`${when}: all ${processes.length} processes, MB`, sum(processes)),
    ...groups.map(([kind, some]) => row(`${when}: ${kind} (${some.length}), MB`, sum(some))),
  ];
}

/** Sends a hundred requests a second for a minute to a separate local cloud. Measures errors, and latency by route. */
import { readFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { ended, finish, upload } from '../test/e2e/support.ts';
import { type LocalCloud, localCloud } from '../test/support/local-cloud.ts';
import { type Library, pick, type Route, routes } from './load/mix.ts';
import type { Report, Row } from './report.ts';

const PER_SECOND = 100;
const WARM_S = 15;
const MEASURED_S = 60;
/** Parallel requests that warm up one function, so that it has enough processes. */
const WARM_AT_ONCE = 4;
/**
 * The longest delay between the due time and the sending of a request. If more than one in a hundred is later, the run
 * is void.
 */
const LATE_MS = 50;
/** The largest share of the processors that other programs may use, before and after. Above this, the run is void. */
const OTHERS_SHARE = 0.15;

interface Sent {
  readonly route: Route;
  /** The time from when the request was due to the end of its answer. */
  readonly ms: number;
  /** The delay between the due time and the sending of the request. */
  readonly lateMs: number;
  /** Error in the answer; null if it was the expected one. */
  readonly fault: string | null;
}

export async function run(): Promise<Report> {
  const cloud = await localCloud();
  try {
    const library = await stock(cloud);
    process.stderr.write(`warming up for ${WARM_S} s\n`);
    for (const route of routes) {
      await Promise.all(
        Array.from({ length: WARM_AT_ONCE }, () => send(cloud, library, route, performance.now())),
      );
    }
    await load(cloud, library, WARM_S);
    const before = await busyShare();
    process.stderr.write(`${PER_SECOND} requests a second for ${MEASURED_S} s\n`);
    const sent = await load(cloud, library, MEASURED_S);
    return report(sent, Math.max(before, await busyShare()));
  } finally {
    await cloud.remove();
  }
}

/** Creates a processed asset, and enough resources for the requests that delete. */
async function stock(cloud: LocalCloud): Promise<Library> {
  const { assetId: asset, etags } = await upload(cloud, readFileSync('content/demo/kinora-demo.mp4'));
  const job = await ended(cloud, asset, await finish(cloud, asset, etags));
  const [transcription = ''] = job.result!.transcription_ids as string[];
  const library = { assets: [], templates: [], asset, transcription };
  const creating = routes.filter(({ made }) => made !== undefined);
  for (let made = 0; made < 100; made += 1) {
    await Promise.all(creating.map((route) => send(cloud, library, route, performance.now())));
  }
  return library;
}

/**
 * Sends requests at a fixed rate, independent of the answers. Each latency counts from the due time of the request. So
 * a stall counts against every request that it delayed.
 */
async function load(cloud: LocalCloud, library: Library, forSeconds: number): Promise<Sent[]> {
  const started = performance.now();
  const all: Promise<Sent>[] = [];
  for (let nth = 0; nth < forSeconds * PER_SECOND; nth += 1) {
    const due = started + (nth * 1000) / PER_SECOND;
    const early = due - performance.now();
    if (early > 0) await sleep(early);
    all.push(send(cloud, library, pick(), due));
  }
  return Promise.all(all);
}

async function send({ ready }: LocalCloud, library: Library, route: Route, due: number): Promise<Sent> {
  const { method, path, body, headers } = route.call(library);
  const late = performance.now() - due;
  const outcome = await fetch(ready.api_url + path, {
    method,
    headers: {
      Authorization: `Bearer ${ready.api_key}`,
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  }).then(
    async (answer) => ({ status: answer.status, text: await answer.text() }),
    (error: Error) => ({ status: 0, text: String(error.cause ?? error) }),
  );
  const ms = performance.now() - due;
  const { status, text } = outcome;
  if (status === route.status) route.made?.(library, JSON.parse(text));
  const fault = status === route.status ? null : `${route.name} answered ${status} ${text}`;
  return { route, ms, lateMs: late, fault };
}

/** The share of the processors that other programs use. It is measured while the local cloud is idle. */
async function busyShare(): Promise<number> {
  // Waits until the steps that deletions started have ended.
  await sleep(3_000);
  const then = processorTimes();
  await sleep(3_000);
  const now = processorTimes();
  return 1 - (now.idle - then.idle) / (now.all - then.all);
}

function processorTimes() {
  const times = cpus().map((cpu) => cpu.times);
  const idle = times.reduce((sum, each) => sum + each.idle, 0);
  const all = times.reduce((sum, { user, nice, sys, idle, irq }) => sum + user + nice + sys + idle + irq, 0);
  return { idle, all };
}

function report(sent: readonly Sent[], others: number): Report {
  const rows = [
    rowOf('all', sent),
    ...routes.map((route) =>
      rowOf(
        route.name,
        sent.filter((one) => one.route === route),
      ),
    ),
  ];
  return {
    title: `${PER_SECOND} requests a second`,
    method:
      `A local cloud of its own, every Lambda a process, on the machine that also sends: ${PER_SECOND} requests a ` +
      `second for ${MEASURED_S} s at a fixed rate, independent of the answers, routes drawn by their weight. Latency counts ` +
      'from when a request was due. Before that, every function had ' +
      `${WARM_AT_ONCE} calls at once and the mix ran for ${WARM_S} s, so that what is measured are warm functions. ` +
      'Milliseconds.',
    columns: ['requests', 'errors', 'p50', 'p95', 'p99', 'max'],
    rows,
    void: faultOf(sent, others),
  };
}

function rowOf(name: string, sent: readonly Sent[]): Row {
  const times = sent.map(({ ms }) => ms).sort((a, b) => a - b);
  const percentile = (share: number) => (times[Math.ceil(times.length * share) - 1] ?? 0).toFixed(1);
  const errors = sent.filter(({ fault }) => fault !== null).length;
  return { name, values: [sent.length, errors, ...[0.5, 0.95, 0.99, 1].map(percentile)] };
}

/** Reasons why the figures do not count: an unexpected answer, or other programs that used the machine. */
function faultOf(sent: readonly Sent[], others: number): string | null {
  const faults = sent.flatMap(({ fault }) => (fault === null ? [] : [fault]));
  if (faults.length > 0) return `${faults.length} errors; the first: ${faults[0]}`;
  if (others > OTHERS_SHARE) return `Other programs took ${(others * 100).toFixed(0)} % of the processors.`;
  const late = sent.filter((one) => one.lateMs > LATE_MS).length / sent.length;
  return late <= 0.01
    ? null
    : `${(late * 100).toFixed(1)} % of the requests were sent more than ${LATE_MS} ms late.`;
}

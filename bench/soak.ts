/**
 * Runs half an hour of mixed load on a separate local cloud. Reports errors, leftover data, and growth of memory, files
 * and processes.
 *
 *     npm run bench -- soak
 *     SOAK_MINUTES=5 npm run bench -- soak
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { defined } from '../shared/checked-access.ts';
import { localCloud } from '../test/support/local-cloud.ts';
import { startReceiver } from '../test/support/receiver.ts';
import type { Report } from './report.ts';
import { Calls } from './soak/calls.ts';
import { liveHeapOf } from './soak/heap.ts';
import { settled } from './soak/left.ts';
import { liveUntil } from './soak/load.ts';
import { processesOf, type Sample, sampleOf } from './soak/measure.ts';
import { soakMedia } from './soak/media.ts';
import { type Heaps, reportOf } from './soak/results.ts';
import { tenantsOf, undelivered } from './soak/tenants.ts';

/** Duration of the load: at least three minutes, because a trend line needs several samples. */
const MINUTES = Math.max(3, Number(process.env.SOAK_MINUTES ?? 30));
const SAMPLE_MS = 10_000;
/** The pause before the last measurement. Idle functions end after 20 seconds. */
const QUIET_MS = 30_000;
const BAR = 30;

export async function run(): Promise<Report> {
  const media = soakMedia();
  const receiver = await startReceiver();
  const cloud = await localCloud();
  try {
    const calls = new Calls();
    const tenants = await tenantsOf(cloud.ready, receiver.url, calls);
    const from = Date.now();
    const until = from + MINUTES * 60_000;
    const samples: Sample[] = [];
    const sampling = setInterval(() => {
      samples.push(sampleOf(cloud.ready.pid));
      show((Date.now() - from) / (until - from), calls);
    }, SAMPLE_MS);
    const warm = sleep((until - from) / 6).then(() => heapsOf(cloud.ready.pid));
    await liveUntil(until, tenants, media);
    clearInterval(sampling);
    process.stderr.write('\r\x1b[Kwaiting until nothing is left to be done\n');
    const missing = await undelivered(tenants, receiver);
    const left = await settled(cloud.ready);
    for (const one of left) process.stderr.write(`left: ${one}\n`);
    await sleep(QUIET_MS);
    const heaps = { warm: await warm, end: await heapsOf(cloud.ready.pid) };
    return reportOf({ minutes: MINUTES, calls, samples, heaps, left, missing });
  } finally {
    await cloud.remove();
    await receiver.close();
  }
}

function show(share: number, { latencies, jobs, faultCount, faults }: Calls): void {
  const ended = [...jobs.values()].reduce((sum, count) => sum + count, 0);
  const done = '█'.repeat(Math.min(BAR, Math.round(share * BAR))).padEnd(BAR, '░');
  const last = faults.at(-1);
  process.stderr.write(
    `\r\x1b[K${done} ${latencies.length} requests, ${ended} jobs, ${faultCount} errors${last ? `: ${last.slice(0, 300)}` : ''}`,
  );
}

async function heapsOf(cloud: number): Promise<Heaps> {
  const s3 = defined(processesOf(cloud).find(({ kind }) => kind === 'S3'));
  return { cloud: await liveHeapOf(cloud), S3: await liveHeapOf(s3.pid) };
}

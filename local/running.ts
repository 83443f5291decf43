/** Finds the running local cloud, or starts it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { layoutOf, localDirectory, OWNERS_ALONE } from './layout.ts';
import { type Ready, readReady } from './ready.ts';

/** The time limit of a start, ms. On a small machine, the build takes a minute. */
const START_TIMEOUT_MS = 300_000;

/** Returns the local cloud that runs in the directory and answers. Undefined if none does. */
export async function findRunning(dir = localDirectory()): Promise<Ready | undefined> {
  const ready = await readReady(layoutOf(dir).ready);
  return ready && (await answers(ready)) ? ready : undefined;
}

/**
 * Starts the local cloud in the background unless it already runs. Resolves when it is ready. It continues when this process ends.
 * `program` is the command that starts it in the foreground. `report` gets the lines that this command prints during the start. If the
 * start fails, throws an error with the end of the log.
 */
export async function ensureRunning(
  program: string,
  dir = localDirectory(),
  report: (line: string) => void = (line) => console.error(line),
): Promise<Ready> {
  const running = await findRunning(dir);
  if (running) return running;
  const layout = layoutOf(dir);
  mkdirSync(layout.logs, { recursive: true, mode: OWNERS_ALONE });
  const logFile = join(layout.logs, 'up.log');
  const log = openSync(logFile, 'w');
  const child = spawn(process.execPath, [program], {
    detached: true,
    stdio: ['ignore', log, log],
    env: { ...process.env, KINORA_LOCAL_DIR: layout.root },
  });
  closeSync(log);
  child.unref();
  let end: string | undefined;
  child.once('exit', (code, signal) => {
    end = signal ?? `exit status ${code}`;
  });

  const follow = follower(logFile, report);
  for (const deadline = Date.now() + START_TIMEOUT_MS; Date.now() < deadline; await sleep(100)) {
    follow();
    const ready = await findRunning(dir);
    if (ready) return ready;
    if (end) break;
  }
  throw new Error(`the local cloud did not start (${end ?? 'it takes too long'}); see ${logFile}`);
}

/** Waits until the local cloud that another process starts is ready. Returns undefined after the time limit. */
export async function untilReady(path: string, timeoutMs: number): Promise<Ready | undefined> {
  for (const deadline = Date.now() + timeoutMs; Date.now() < deadline; await sleep(100)) {
    const ready = await readReady(path);
    if (ready && (await answers(ready))) return ready;
  }
  return undefined;
}

/** Whether a server listens on each port. Sends no request: answers are slow on a busy machine, and the site would have to be built first. */
async function answers({ api_url, site_url, s3_url, dynamodb_url }: Ready): Promise<boolean> {
  try {
    await Promise.all([api_url, site_url, s3_url, dynamodb_url].map(connected));
    return true;
  } catch {
    return false;
  }
}

async function connected(url: string): Promise<void> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port) });
  try {
    await once(socket, 'connect');
  } finally {
    socket.destroy();
  }
}

/** Returns a function that reports the complete lines that were added to a file since its last call. */
function follower(path: string, report: (line: string) => void): () => void {
  let told = 0;
  return () => {
    const lines = readFileSync(path, 'utf8').split('\n').slice(0, -1);
    const isSummary = lines.indexOf('Kinora is ready.');
    for (const line of lines.slice(told, isSummary < 0 ? undefined : isSummary)) report(line);
    told = lines.length;
  };
}

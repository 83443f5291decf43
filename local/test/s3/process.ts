/** The server as a process of its own, as the embedded cloud runs it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { S3Client } from '@aws-sdk/client-s3';
import { afterEach, beforeEach } from 'vitest';
import { BUCKET, CREDENTIALS, clientOf, REGION } from './harness.ts';

const mainFile = join(import.meta.dirname, '../../s3/main.ts');

export type ServerProcess = {
  url: string;
  pid: number;
  end(signal: NodeJS.Signals): Promise<number | null>;
};

/** Keeps its state and its configuration under `dir`; rejects if the process ends before it listens. */
export async function spawnServer(dir: string): Promise<ServerProcess> {
  const configuration = join(dir, 's3.json');
  const options = {
    dir: join(dir, 's3'),
    port: 0,
    region: REGION,
    credentials: CREDENTIALS,
    buckets: [{ name: BUCKET }],
  };
  await writeFile(configuration, JSON.stringify(options));
  const child = spawn(process.execPath, [mainFile, configuration], { stdio: ['ignore', 'pipe', 'pipe'] });
  const complaints: Buffer[] = [];
  child.stderr.on('data', (piece) => complaints.push(piece));
  const exit = once(child, 'exit');
  const line = once(createInterface(child.stdout), 'line');
  const failed = exit.then(() => {
    throw new Error(`The server ended: ${Buffer.concat(complaints)}`);
  });
  failed.catch(() => {});
  const [text] = await Promise.race([line, failed]);
  const { ready, url } = JSON.parse(text);
  if (ready !== true) throw new Error(`Not ready: ${text}`);
  return {
    url,
    pid: child.pid!,
    async end(signal) {
      child.kill(signal);
      const [code] = await exit;
      return code;
    },
  };
}

/** A server process and its client for each test of a file. `start` starts it again in the same directory after its end. */
export function useServerProcess() {
  let dir: string;
  let server: ServerProcess;
  let client: S3Client;
  const start = async (): Promise<void> => {
    server = await spawnServer(dir);
    client = clientOf(server.url);
  };
  const end = (signal: NodeJS.Signals): Promise<number | null> => {
    client.destroy();
    return server.end(signal);
  };
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 's3-process-'));
    await start();
  });
  afterEach(async () => {
    await end('SIGTERM');
    await rm(dir, { recursive: true });
  });
  return {
    start,
    end,
    get pid() {
      return server.pid;
    },
    get client() {
      return client;
    },
    get dir() {
      return dir;
    },
  };
}

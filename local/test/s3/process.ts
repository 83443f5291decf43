/** The server as a process of its own, as the embedded cloud runs it. */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { BUCKET, CREDENTIALS, REGION } from './harness.ts';

const mainFile = join(import.meta.dirname, '../../s3/main.ts');

export type ServerProcess = {
  url: string;
  pid: number;
  child: ChildProcess;
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
    child,
    async end(signal) {
      child.kill(signal);
      const [code] = await exit;
      return code;
    },
  };
}

/** Keeps a second server from a directory that one is using: its sweep would remove data being written. */

import { createHash } from 'node:crypto';
import { mkdir, realpath, rm } from 'node:fs/promises';
import { createConnection, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Claims `dir`, made if absent, until the returned function is called or the process ends. A socket holds the
 * claim: unlike a file with a process id it ends with its process, `kill -9` included. It lies outside `dir`
 * because a socket's path may be 107 bytes long at most.
 */
export async function lockDirectory(dir: string): Promise<() => Promise<void>> {
  await mkdir(dir, { recursive: true });
  const name = createHash('sha256')
    .update(await realpath(dir))
    .digest('hex')
    .slice(0, 32);
  const path =
    process.platform === 'win32' ? `\\\\.\\pipe\\kinora-s3-${name}` : join(tmpdir(), `kinora-s3-${name}`);
  if (await answers(path)) throw new Error(`Another S3 server is using ${dir}; stop it first.`);
  await rm(path, { force: true });

  const server = createServer((socket) => socket.destroy());
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(path, resolve);
  });
  server.unref();
  return () => new Promise((resolve) => server.close(() => resolve()));
}

function answers(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection(path);
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}

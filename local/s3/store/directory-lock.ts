/** Prevents a second server on the same directory. Its sweep would remove data that the first server is writing. */
import { createHash } from 'node:crypto';
import { mkdir, realpath, rm } from 'node:fs/promises';
import { createConnection, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Locks `dir` until the returned function is called or the process ends. Creates `dir` if it does not exist. The lock is a socket:
 * unlike a file with a process id, it ends with its process, even by `kill -9`. The socket is not in `dir`, because the path of a
 * socket may have at most 107 bytes.
 */
export async function lockDirectory(dir: string): Promise<() => Promise<void>> {
  await mkdir(dir, { recursive: true });
  const name = createHash('sha256')
    .update(await realpath(dir))
    .digest('hex')
    .slice(0, 32);
  const path =
    process.platform === 'win32' ? `\\\\.\\pipe\\local-s3-${name}` : join(tmpdir(), `local-s3-${name}`);
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

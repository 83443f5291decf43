/** A lock file, so that two commands that start at the same time do not both install. */
import { createHash } from 'node:crypto';
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Runs the work while this process holds the lock of the checkout. The lock file names its holder and lies outside of the
 * checkout. If the holder has died, exactly one process removes the file.
 */
export async function withLock(root, waiting, work) {
  const name = createHash('sha256').update(resolve(root)).digest('hex').slice(0, 16);
  const file = join(tmpdir(), `kinora-install-${name}.lock`);
  let told = false;
  while (!take(file)) {
    if (isAbandoned(file)) {
      moveAway(file);
      continue;
    }
    if (!told) console.error(waiting);
    told = true;
    await sleep(200);
  }
  try {
    return await work();
  } finally {
    rmSync(file, { force: true });
  }
}

function take(file) {
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  }
}

function isAbandoned(file) {
  try {
    const holder = Number(readFileSync(file, 'utf8'));
    // The lock file exists, but its holder has not written to it yet.
    if (!holder) return false;
    process.kill(holder, 0);
    return false;
  } catch (error) {
    return error.code === 'ESRCH';
  }
}

function moveAway(file) {
  try {
    renameSync(file, `${file}.${process.pid}`);
    rmSync(`${file}.${process.pid}`, { force: true });
  } catch {
    // Another process removed it first.
  }
}

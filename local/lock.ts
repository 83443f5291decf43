/**
 * Allows only one local cloud in a directory, and one build at a time. The lock is an SQLite lock on a file. The operating system releases it
 * when its process dies, even by kill -9. So no lock is stale, and two processes never get it at once.
 */
import { DatabaseSync } from 'node:sqlite';

export type Lock = { release(): void };

/** Takes the lock. Undefined if a process, also this one, has the lock already. */
export function takeLock(path: string): Lock | undefined {
  const database = new DatabaseSync(path);
  try {
    database.exec('BEGIN EXCLUSIVE');
    return { release: () => database.close() };
  } catch (error) {
    database.close();
    const isHeld = (error as { errcode?: number }).errcode === SQLITE_BUSY;
    if (isHeld) return undefined;
    throw error;
  }
}

/** SQLITE_BUSY, "Result and Error Codes". */
const SQLITE_BUSY = 5;

/**
 * Allows only one local cloud in a directory, and one build at a time. The lock is an SQLite lock on a file. The operating system
 * releases the lock when the process ends, even by kill -9. So a lock is never stale, and two processes never have it at the same time.
 */
import { DatabaseSync } from 'node:sqlite';

export type Lock = { release(): void };

/** Acquires the lock. Returns undefined if a process has the lock already, even if it is this process. */
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

/** The result code SQLITE_BUSY ("Result and Error Codes"). */
const SQLITE_BUSY = 5;

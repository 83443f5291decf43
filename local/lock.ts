/**
 * One local cloud a directory. The lock is SQLite's on a file: the operating system gives it back when its holder
 * dies, by kill -9 too, so there is no stale lock to judge and no moment at which two can take it.
 */
import { DatabaseSync } from 'node:sqlite';

export type Lock = { release(): void };

/** Undefined when another process, or this one, holds it. */
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

/**
 * An append-only file with one record per line: the CRC-32 of the text in eight hex digits, a space, and the JSON text. Records
 * that are added during a sync are written together by the next sync. So parallel branches share one fsync.
 */
import { type FileHandle, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { crc32 } from 'node:zlib';

export interface Journal<R> {
  /** Queues a record. It is on disk when a later call of `flushed()` resolves. */
  append(record: R): void;
  /** Resolves when all appended records are on disk. If writing fails, this call and all later ones throw the error. */
  flushed(): Promise<void>;
  /** Writes the queued records and closes the file. */
  close(): Promise<void>;
}

/**
 * Opens or creates a journal. Removes bytes after the last complete record: a crash interrupted their writing, so their record was
 * never confirmed.
 */
export async function openJournal<R>(path: string): Promise<{ journal: Journal<R>; records: R[] }> {
  const file = await open(path, 'a+');
  const { records, length } = decodeRecords<R>(await file.readFile());
  await file.truncate(length);
  await file.sync();
  await syncDirectory(dirname(path));
  return { journal: writer(file), records };
}

export function encodeRecord(record: unknown): string {
  const text = JSON.stringify(record);
  return `${checksum(text)} ${text}\n`;
}

/** Returns the records before the first incomplete or damaged line, and their number of bytes. */
export function decodeRecords<R>(content: Buffer): { records: R[]; length: number } {
  const records: R[] = [];
  let length = 0;
  for (;;) {
    const end = content.indexOf(0x0a, length);
    if (end < 0) break;
    const line = content.toString('utf8', length, end);
    const text = line.slice(9);
    if (line[8] !== ' ' || line.slice(0, 8) !== checksum(text)) break;
    records.push(JSON.parse(text) as R);
    length = end + 1;
  }
  return { records, length };
}

/** Makes changes of a directory durable: created, renamed and removed entries. */
export async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, 'r');
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}

function checksum(text: string): string {
  return crc32(text).toString(16).padStart(8, '0');
}

function writer<R>(file: FileHandle): Journal<R> {
  let queued: string[] = [];
  let current: Promise<void> = Promise.resolve();
  let following: Promise<void> | undefined;

  const commit = async (): Promise<void> => {
    // Waits for one turn of the event loop, so that ready branches can add their records to this batch.
    await new Promise((resolve) => setImmediate(resolve));
    following = undefined;
    const batch = queued.join('');
    queued = [];
    if (batch === '') return;
    await file.appendFile(batch);
    await file.datasync();
  };

  const flushed = (): Promise<void> => {
    if (queued.length === 0) return following ?? current;
    if (!following) {
      following = current.then(commit);
      current = following;
    }
    return following;
  };

  const append = (record: R): void => {
    queued.push(encodeRecord(record));
    // Callers that wait for the records get the error. Without this handler, an error would end the process if no caller waits.
    flushed().catch(() => {});
  };

  const close = async (): Promise<void> => {
    try {
      await flushed();
    } finally {
      await file.close();
    }
  };

  return { append, flushed, close };
}

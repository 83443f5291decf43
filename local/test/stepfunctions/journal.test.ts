import { appendFile, mkdtemp, open, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { decodeRecords, encodeRecord, openJournal } from '../../stepfunctions/journal.ts';

let dir: string;
let path: string;

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'journal-'));
  path = join(dir, 'a.journal');
});
afterEach(async () => {
  vi.restoreAllMocks();
  await rm(dir, { recursive: true });
});

async function write(...records: unknown[]): Promise<void> {
  const { journal } = await openJournal(path);
  for (const record of records) journal.append(record);
  await journal.close();
}

async function read(): Promise<unknown[]> {
  const { journal, records } = await openJournal(path);
  await journal.close();
  return records;
}

describe('a journal', () => {
  it('returns the records in order, after any number of restarts', async () => {
    await write({ a: 1 }, 'x\ny');
    await write(null, ['é', '\u2028']);
    expect(await read()).toEqual([{ a: 1 }, 'x\ny', null, ['é', '\u2028']]);
  });

  it('drops an incomplete last record, and continues after the record before it', async () => {
    await write('first', 'second');
    await truncate(path, (await readFile(path)).length - 3);
    expect(await read()).toEqual(['first']);
    await write('third');
    expect(await read()).toEqual(['first', 'third']);
  });

  it('drops zero bytes at the end, which a file system may leave', async () => {
    await write('first');
    await appendFile(path, Buffer.alloc(4096));
    expect(await read()).toEqual(['first']);
  });

  it('is empty if no complete record was written', async () => {
    await writeFile(path, '1234');
    expect(await read()).toEqual([]);
  });

  it('has a record on disk when flushed() resolves', async () => {
    const { journal } = await openJournal(path);
    journal.append('kept');
    await journal.flushed();
    expect(decodeRecords(await readFile(path)).records).toEqual(['kept']);
    await journal.close();
  });

  it('is synchronized once for all records that were appended meanwhile', async () => {
    const { journal } = await openJournal(path);
    const handle = await open(path, 'r');
    const datasync = vi.spyOn(Object.getPrototypeOf(handle) as { datasync(): Promise<void> }, 'datasync');
    await handle.close();
    const branches = Array.from({ length: 100 }, async (_, index) => {
      journal.append(index);
      await journal.flushed();
    });
    await Promise.all(branches);
    await journal.close();
    expect(await read()).toHaveLength(100);
    expect(datasync.mock.calls.length).toBeLessThanOrEqual(2);
  });

  it('reports a failed write to all later callers', async () => {
    const { journal } = await openJournal(path);
    const handle = await open(path, 'r');
    vi.spyOn(Object.getPrototypeOf(handle) as { datasync(): Promise<void> }, 'datasync').mockRejectedValue(
      new Error('ENOSPC'),
    );
    await handle.close();
    journal.append('lost');
    await expect(journal.flushed()).rejects.toThrow('ENOSPC');
    vi.restoreAllMocks();
    journal.append('after');
    await expect(journal.flushed()).rejects.toThrow('ENOSPC');
    await expect(journal.close()).rejects.toThrow('ENOSPC');
  });
});

describe('decodeRecords', () => {
  const records = fc.array(fc.jsonValue(), { minLength: 1, maxLength: 10 });

  it('returns the first records, in order, for any prefix of the file', () => {
    fc.assert(
      fc.property(records, fc.double({ min: 0, max: 1, noNaN: true }), (values, share) => {
        const content = Buffer.from(values.map(encodeRecord).join(''));
        const decoded = decodeRecords(content.subarray(0, Math.floor(content.length * share)));
        expect(decoded.records.map((value) => JSON.stringify(value))).toEqual(
          values.slice(0, decoded.records.length).map((value) => JSON.stringify(value)),
        );
      }),
    );
  });

  it('returns no record after a damaged one', () => {
    fc.assert(
      fc.property(records, fc.nat(), fc.integer({ min: 1, max: 255 }), (values, position, change) => {
        const lines = values.map(encodeRecord);
        const content = Buffer.from(lines.join(''));
        const at = position % content.length;
        content[at] = content[at]! ^ change;
        const decoded = decodeRecords(content);
        const intact = Buffer.byteLength(lines.slice(0, decoded.records.length).join(''));
        expect(intact).toBeLessThanOrEqual(at);
        expect(decoded.length).toBe(intact);
      }),
    );
  });
});

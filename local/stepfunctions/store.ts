/**
 * The directory that holds everything:
 *   definitions/<hash>.json    each definition that an execution runs or ran
 *   executions/<id>.journal    a running execution
 *   executions/<id>.finished   a finished execution, compacted: summary, data, and one history event per line
 */
import { createHash } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { HistoryEvent } from './history.ts';
import { decodeRecords, encodeRecord, type Journal, openJournal, syncDirectory } from './journal.ts';
import type { StateMachine } from './language.ts';
import type { ExecutionStatus, JournalRecord } from './records.ts';

/** An execution in lists. Times are in milliseconds since the epoch. */
export interface Summary {
  arn: string;
  name: string;
  machineArn: string;
  status: ExecutionStatus;
  startedAt: number;
  stoppedAt?: number;
  startedBy?: string;
}

/** The additional members of a description. Input and output are JSON texts. */
export interface Outcome {
  input: string;
  output?: string;
  error?: string;
  cause?: string;
}

export interface Unfinished {
  journal: Journal<JournalRecord>;
  records: JournalRecord[];
}

export interface Store {
  finished: Summary[];
  unfinished: Unfinished[];
  saveDefinition(definition: StateMachine): Promise<string>;
  definition(hash: string): Promise<StateMachine>;
  begin(arn: string): Promise<Journal<JournalRecord>>;
  /** Returns the records of an unfinished execution that are on disk. */
  records(arn: string): Promise<JournalRecord[]>;
  /** Replaces the journal by the compacted file. The journal must be closed. */
  compact(summary: Summary, outcome: Outcome, history: HistoryEvent[]): Promise<void>;
  remove(arn: string): Promise<void>;
  outcome(arn: string): Promise<Outcome>;
  history(arn: string): Promise<HistoryEvent[]>;
}

/** Opens the directory, or creates it, and reads the executions of earlier processes. */
export async function openStore(dir: string): Promise<Store> {
  const executions = join(dir, 'executions');
  const definitions = join(dir, 'definitions');
  await mkdir(executions, { recursive: true });
  await mkdir(definitions, { recursive: true });
  const journalOf = (arn: string): string => join(executions, `${idOf(arn)}.journal`);
  const finishedOf = (arn: string): string => join(executions, `${idOf(arn)}.finished`);

  return {
    ...(await load(executions)),

    async saveDefinition(definition) {
      const text = JSON.stringify(definition);
      const hash = createHash('sha256').update(text).digest('hex');
      await writeDurably(definitions, `${hash}.json`, text);
      return hash;
    },
    definition: async (hash) =>
      JSON.parse(await readFile(join(definitions, `${hash}.json`), 'utf8')) as StateMachine,

    begin: async (arn) => (await openJournal<JournalRecord>(journalOf(arn))).journal,
    records: async (arn) => decodeRecords<JournalRecord>(await readFile(journalOf(arn))).records,

    async compact(summary, outcome, history) {
      const lines = [summary, outcome, ...history].map(encodeRecord).join('');
      await writeDurably(executions, `${idOf(summary.arn)}.finished`, lines);
      await unlink(journalOf(summary.arn));
    },
    remove: (arn) => unlink(finishedOf(arn)),
    outcome: async (arn) => (await readLines<Outcome>(finishedOf(arn), 2))[1]!,
    history: async (arn) => decodeRecords<HistoryEvent>(await readFile(finishedOf(arn))).records.slice(2),
  };
}

/** Returns the file name of an execution. It is a hash, because names may differ only in case and may contain any script. */
function idOf(arn: string): string {
  return createHash('sha256').update(arn).digest('hex').slice(0, 40);
}

async function load(executions: string): Promise<Pick<Store, 'finished' | 'unfinished'>> {
  const names = new Set(await readdir(executions));
  const finished: Summary[] = [];
  const unfinished: Unfinished[] = [];
  for (const name of names) {
    const path = join(executions, name);
    if (name.endsWith('.finished')) {
      const [summary] = await readLines<Summary>(path, 1);
      finished.push(summary!);
    } else if (names.has(name.replace(/\.journal$/, '.finished')) || name.endsWith('.partial')) {
      await unlink(path);
    } else {
      const opened = await openJournal<JournalRecord>(path);
      // A journal without a first record belongs to a StartExecution that was never answered.
      if (opened.records.length > 0) unfinished.push(opened);
      else await opened.journal.close().then(() => unlink(path));
    }
  }
  return { finished, unfinished };
}

/** Reads the first lines of a file, but not its history. */
async function readLines<R>(path: string, count: number): Promise<R[]> {
  const file = await open(path, 'r');
  try {
    const chunks: Buffer[] = [];
    for await (const chunk of file.createReadStream({ autoClose: false })) {
      chunks.push(chunk as Buffer);
      const { records } = decodeRecords<R>(Buffer.concat(chunks));
      if (records.length >= count) return records.slice(0, count);
    }
  } finally {
    await file.close();
  }
  throw new Error(`${path} is damaged: fewer than ${count} records`);
}

async function writeDurably(dir: string, name: string, content: string): Promise<void> {
  const partial = join(dir, `${name}.partial`);
  await writeFile(partial, content, { flush: true });
  await rename(partial, join(dir, name));
  await syncDirectory(dir);
}

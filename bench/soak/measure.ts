/** Takes one sample of the local cloud: memory and open files of its processes, and bytes in its folder. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { tree } from '../idle/processes.ts';

/** The long-lived processes of the cloud, then the short-lived functions, then the programs that functions start. */
export const kinds = ['cloud', 'S3', 'DynamoDB', 'functions', 'programs'] as const;
export type Kind = (typeof kinds)[number];

const commands: readonly (readonly [Kind, RegExp])[] = [
  ['functions', /local\/lambda\/worker\.ts/],
  ['S3', /local\/s3\/main\.ts/],
  ['DynamoDB', /dynoxide|DynamoDBLocal/],
  ['cloud', /scripts\/start\.ts/],
];

const folders = { temporary: 'tmp', tables: 'dynamodb', bucket: 's3', executions: 'stepfunctions' } as const;
export type Folder = keyof typeof folders;

export interface Process {
  readonly pid: number;
  readonly kind: Kind;
  /** Resident set size, bytes. */
  readonly rss: number;
  readonly openFiles: number;
}

export interface Sample {
  /** Time of the sample, milliseconds since the epoch. */
  readonly at: number;
  readonly processes: readonly Process[];
  readonly bytes: Readonly<Record<Folder, number>>;
}

export const processesOf = (cloud: number): Process[] =>
  tree(cloud).flatMap(({ pid, command }): Process[] => {
    const kind = commands.find(([, pattern]) => pattern.test(command))?.[0] ?? 'programs';
    const rss = residentOf(pid);
    return rss === null ? [] : [{ pid, kind, rss, openFiles: openFilesOf(pid) }];
  });

export function sampleOf(pid: number, folder: string): Sample {
  const bytes = Object.fromEntries(
    Object.entries(folders).map(([name, path]) => [name, bytesIn(join(folder, path))]),
  ) as Record<Folder, number>;
  return { at: Date.now(), processes: processesOf(pid), bytes };
}

/** Reads VmRSS of proc(5), in KiB. Null if the process has ended. */
function residentOf(pid: number): number | null {
  const status = attempt(() => readFileSync(`/proc/${pid}/status`, 'latin1'), '');
  const [, kib] = /^VmRSS:\s+(\d+) kB$/m.exec(status) ?? [];
  return kib === undefined ? null : Number(kib) * 1024;
}

const openFilesOf = (pid: number): number => attempt(() => readdirSync(`/proc/${pid}/fd`), []).length;

function bytesIn(folder: string): number {
  const entries = attempt(() => readdirSync(folder, { withFileTypes: true, recursive: true }), []);
  return entries
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + attempt(() => statSync(join(entry.parentPath, entry.name)).size, 0), 0);
}

/** Processes may end and files may be deleted during a measurement. */
function attempt<Value>(look: () => Value, otherwise: Value): Value {
  try {
    return look();
  } catch {
    return otherwise;
  }
}

/** The memory of all processes in a sample, or of the processes of one kind. */
export const rssOf = ({ processes }: Sample, kind?: Kind): number =>
  sum(processes.filter((one) => kind === undefined || one.kind === kind).map(({ rss }) => rss));

export const openFiles = ({ processes }: Sample, kind?: Kind): number =>
  sum(processes.filter((one) => kind === undefined || one.kind === kind).map(({ openFiles }) => openFiles));

export const countOf = ({ processes }: Sample, kind: Kind): number =>
  processes.filter((one) => one.kind === kind).length;

const sum = (values: readonly number[]) => values.reduce((all, one) => all + one, 0);

/** One sample of the local cloud: memory and open files of its processes, and bytes in its folder. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { tree } from '../idle/processes.ts';

/** The processes that live as long as the cloud; then the functions, which come and go; then what these start. */
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
  /** Resident set, bytes. */
  readonly rss: number;
  readonly openFiles: number;
}

export interface Sample {
  /** Milliseconds since the epoch. */
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

/** proc(5): VmRSS, in KiB. Null where the process has ended. */
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

/** Processes end and files go while one looks. */
function attempt<Value>(look: () => Value, otherwise: Value): Value {
  try {
    return look();
  } catch {
    return otherwise;
  }
}

/** Of a kind at each sample: together, or of the one process where there is one. */
export const rssOf = ({ processes }: Sample, kind?: Kind): number =>
  sum(processes.filter((one) => kind === undefined || one.kind === kind).map(({ rss }) => rss));

export const openFiles = ({ processes }: Sample, kind?: Kind): number =>
  sum(processes.filter((one) => kind === undefined || one.kind === kind).map(({ openFiles }) => openFiles));

export const countOf = ({ processes }: Sample, kind: Kind): number =>
  processes.filter((one) => one.kind === kind).length;

const sum = (values: readonly number[]) => values.reduce((all, one) => all + one, 0);

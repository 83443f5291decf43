/** Takes one sample of the local cloud: memory and open files of its processes, and bytes in its folder. */
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type Kind, kindOf, memoryOf, tree } from '../processes.ts';

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
    const rss = memoryOf(pid, 'VmRSS');
    return rss === null ? [] : [{ pid, kind: kindOf(command), rss, openFiles: openFilesOf(pid) }];
  });

export function sampleOf(pid: number, folder: string): Sample {
  const bytes = Object.fromEntries(
    Object.entries(folders).map(([name, path]) => [name, bytesIn(join(folder, path))]),
  ) as Record<Folder, number>;
  return { at: Date.now(), processes: processesOf(pid), bytes };
}

const openFilesOf = (pid: number): number => attempt(() => readdirSync(`/proc/${pid}/fd`), []).length;

function bytesIn(folder: string): number {
  const entries = attempt(() => readdirSync(folder, { withFileTypes: true, recursive: true }), []);
  return entries
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + attempt(() => statSync(join(entry.parentPath, entry.name)).size, 0), 0);
}

/** Returns `otherwise` if `look` throws, because processes may end and files may be deleted during a measurement. */
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

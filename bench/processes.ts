/** Reads the commands and the memory of a tree of processes from proc(5). Works only on Linux. */
import { readdirSync, readFileSync } from 'node:fs';

interface Process {
  readonly pid: number;
  readonly command: string;
}

/** Patterns for the processes of a local cloud. Other processes are programs that functions start. */
const kinds = {
  functions: /local\/lambda\/worker\.ts/,
  S3: /local\/s3\/main\.ts/,
  DynamoDB: /dynoxide|DynamoDBLocal/,
  cloud: /scripts\/start\.ts/,
};
export type Kind = keyof typeof kinds | 'programs';

export const kindOf = (command: string): Kind =>
  (Object.keys(kinds) as (keyof typeof kinds)[]).find((kind) => kinds[kind].test(command)) ?? 'programs';

/** Returns the process and all its descendants that still run. */
export function tree(root: number): Process[] {
  const children = Map.groupBy(readdirSync('/proc').filter(isPid).flatMap(parented), ({ parent }) => parent);
  const below = (pid: number): number[] => [
    pid,
    ...(children.get(pid) ?? []).flatMap((child) => below(child.pid)),
  ];
  return below(root).flatMap(running);
}

/** Returns bytes from `status` of proc(5). VmRSS: resident memory. VmHWM: its peak. Null if the process has ended. */
export function memoryOf(pid: number | string, field: 'VmRSS' | 'VmHWM'): number | null {
  const [, kib] = new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(read(pid, 'status') ?? '') ?? [];
  return kib === undefined ? null : Number(kib) * 1024;
}

const isPid = (name: string) => /^\d+$/.test(name);

function parented(name: string) {
  const parent = /^PPid:\s+(\d+)$/m.exec(read(name, 'status') ?? '')?.[1];
  return parent === undefined ? [] : [{ pid: Number(name), parent: Number(parent) }];
}

function running(pid: number): Process[] {
  const command = read(pid, 'cmdline');
  return command === undefined ? [] : [{ pid, command: command.replaceAll('\0', ' ') }];
}

function read(pid: number | string, file: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    // The process has ended.
    return undefined;
  }
}

/** Takes one sample of the processes of the local cloud from proc(5): memory and open files. Works only on Linux. */
import { readdirSync, readFileSync } from 'node:fs';

/** Patterns for the processes of a local cloud. Other processes are programs that functions start. */
const kinds = {
  functions: /local\/lambda\/worker\.ts/,
  S3: /local\/s3\/main\.ts/,
  DynamoDB: /dynoxide|DynamoDBLocal/,
  cloud: /scripts\/start\.ts/,
};
export type Kind = keyof typeof kinds | 'programs';

interface Process {
  readonly pid: number;
  readonly parent: number;
  readonly kind: Kind;
  /** Resident set size, bytes. */
  readonly rss: number;
  readonly openFiles: number;
}

export interface Sample {
  /** Time of the sample, milliseconds since the epoch. */
  readonly at: number;
  readonly processes: readonly Process[];
}

export const sampleOf = (cloud: number): Sample => ({ at: Date.now(), processes: processesOf(cloud) });

export function processesOf(cloud: number): Process[] {
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap(processOf);
  const below = (pid: number): Process[] =>
    all.filter(({ parent }) => parent === pid).flatMap((child) => [child, ...below(child.pid)]);
  return [...all.filter(({ pid }) => pid === cloud), ...below(cloud)];
}

function processOf(pid: string): Process[] {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
    const openFiles = readdirSync(`/proc/${pid}/fd`).length;
    const field = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0);
    const rss = field('VmRSS') * 1024;
    return [{ pid: Number(pid), parent: field('PPid'), kind: kindOf(command), rss, openFiles }];
  } catch {
    // The process has ended, or belongs to another user.
    return [];
  }
}

const kindOf = (command: string): Kind =>
  (Object.keys(kinds) as (keyof typeof kinds)[]).find((kind) => kinds[kind].test(command)) ?? 'programs';

export const sumOf = ({ processes }: Sample, kind: Kind, member: 'rss' | 'openFiles'): number =>
  processes.filter((one) => one.kind === kind).reduce((sum, one) => sum + one[member], 0);

export const countOf = ({ processes }: Sample, kind: Kind): number =>
  processes.filter((one) => one.kind === kind).length;

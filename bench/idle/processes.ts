/** Reads the memory of a tree of processes from proc(5). Works only on Linux. */
import { readdirSync, readFileSync } from 'node:fs';

export interface Weighed {
  readonly pid: number;
  readonly command: string;
  /** Proportional set size, bytes: memory that n processes share counts in equal parts for each. */
  readonly pss: number;
}

/** Returns the process and all its descendants that still run. */
export function tree(root: number): Weighed[] {
  const children = Map.groupBy(readdirSync('/proc').filter(isPid).flatMap(parented), ({ parent }) => parent);
  const below = (pid: number): number[] => [
    pid,
    ...(children.get(pid) ?? []).flatMap((child) => below(child.pid)),
  ];
  return below(root).flatMap(weighed);
}

/** Returns the processor seconds of the process, and of the children that it waited for. */
export function cpuOf(pid: number): number {
  const fields = statOf(pid);
  // proc(5): utime, stime, cutime and cstime are fields 14 to 17. A tick is a hundredth of a second.
  return fields === undefined ? 0 : fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / 100;
}

const isPid = (name: string) => /^\d+$/.test(name);

function parented(name: string) {
  const parent = statOf(Number(name))?.[1];
  return parent === undefined ? [] : [{ pid: Number(name), parent: Number(parent) }];
}

function weighed(pid: number): Weighed[] {
  const rollup = read(pid, 'smaps_rollup');
  const [, kib] = /^Pss:\s+(\d+) kB$/m.exec(rollup ?? '') ?? [];
  if (kib === undefined) return [];
  return [{ pid, command: (read(pid, 'cmdline') ?? '').replaceAll('\0', ' '), pss: Number(kib) * 1024 }];
}

/** Returns the fields of `stat` after the name, which may contain spaces. The first is the state. */
function statOf(pid: number): string[] | undefined {
  const stat = read(pid, 'stat');
  return stat?.slice(stat.lastIndexOf(')') + 2).split(' ');
}

function read(pid: number, file: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    // The process has ended.
    return undefined;
  }
}

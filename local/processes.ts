/**
 * Records on disk the processes that the local cloud starts. After a `kill -9`, the next start finds and ends these processes. Pids
 * are reused, so a record is valid only if its pid still belongs to the same process.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

type ProcessRecord = { pid: number; birth: string; what: string };

export type ProcessRecords = {
  /** Adds a record. `what` is a name for people: "S3", "Lambda ProbeMedia". */
  add(pid: number, what: string): void;
  remove(pid: number): void;
  /** Ends the processes and process groups that earlier runs left. Returns their names. */
  endStale(): string[];
};

/** Stores each record in a separate small file in `directory`, so that no write can damage another record. */
export function processRecords(directory: string): ProcessRecords {
  mkdirSync(directory, { recursive: true });
  const fileOf = (pid: number) => join(directory, `${pid}.json`);
  return {
    add(pid, what) {
      const birth = birthOf(pid);
      if (birth) writeFileSync(fileOf(pid), JSON.stringify({ pid, birth, what }));
    },
    remove(pid) {
      rmSync(fileOf(pid), { force: true });
    },
    endStale() {
      const stale = readdirSync(directory).flatMap((file) => readRecord(join(directory, file)) ?? []);
      const ended = stale.filter(isStillRunning);
      for (const { pid } of ended) killGroup(pid);
      for (const { pid } of stale) rmSync(fileOf(pid), { force: true });
      return ended.map(({ what, pid }) => `${what} (pid ${pid})`);
    },
  };
}

/** Returns the start time of a process, which differs from that of a later process with the same pid. Undefined if no process has the pid. */
export function birthOf(pid: number): string | undefined {
  return process.platform === 'linux' ? fromProc(pid) : fromPs(pid);
}

/** Ends a process. If it is the leader of a process group, ends the whole group. */
export function killGroup(pid: number): void {
  for (const target of [-pid, pid]) {
    try {
      process.kill(target, 'SIGKILL');
    } catch {
      // The process has ended, or is not the leader of a group.
    }
  }
}

/** The nice value of background work. On a busy processor, it gets less time than other processes, but does not stop. */
const BACKGROUND_NICENESS = 3;

/**
 * Lowers the priority of a process and of the processes that it will start. With autogrouping, a nice value has an effect only within a
 * session, and each session has a nice value of its own. Users may set this value only once in a tenth of a second (sched(7)).
 */
export async function giveWay(pid: number): Promise<void> {
  const niceness = Math.max(getPriority(), BACKGROUND_NICENESS);
  for (const wait of [0, 150, 300]) {
    try {
      await sleep(wait, undefined, { ref: false });
      setPriority(pid, niceness);
      if (existsSync('/proc/self/autogroup')) writeFileSync(`/proc/${pid}/autogroup`, String(niceness));
      return;
    } catch {
      // The process has ended, or its value was set a moment ago. Both cases need no action.
    }
  }
}

function isStillRunning({ pid, birth }: ProcessRecord): boolean {
  return birthOf(pid) === birth;
}

function readRecord(path: string): ProcessRecord | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as ProcessRecord;
  } catch {
    // A power failure interrupted the writing of this record, so it has no pid.
    rmSync(path, { force: true });
    return undefined;
  }
}

/**
 * Reads the start time of a process, in ticks since boot: field 22 of /proc/[pid]/stat (proc(5)). Field 2, in parentheses, may contain
 * spaces. The command is not used, because it changes when setpriv replaces itself with the program.
 */
function fromProc(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const isZombie = fields[0] === 'Z';
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return isZombie ? undefined : `${boot} ${fields[19]}`;
  } catch {
    return undefined;
  }
}

/** Returns the start time and the command of a process. The command is included because the time of ps has a precision of only one second. */
function fromPs(pid: number): string | undefined {
  try {
    const columns = ['-o', 'lstart=', '-o', 'command=', '-p', String(pid)];
    return execFileSync('ps', columns, { encoding: 'utf8' }).trim() || undefined;
  } catch {
    return undefined;
  }
}

/**
 * The processes that the local cloud starts, recorded on disk, so that what a `kill -9` left behind is found and
 * ended by the next start. A record is believed only if the pid still is the process that was started: pids are reused.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

type ProcessRecord = { pid: number; birth: string; what: string };

export type ProcessRecords = {
  /** `what` is for people: "S3", "Lambda ProbeMedia". */
  add(pid: number, what: string): void;
  remove(pid: number): void;
  /** Ends what earlier runs left; each process with its group. Returns what was ended. */
  endStale(): string[];
};

/** Keeps one small file a process in `directory`, so that no write can damage another's record. */
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

/**
 * When the kernel started the process: with the pid, it names one process and no later one of the same pid.
 * Undefined when no such process runs.
 */
export function birthOf(pid: number): string | undefined {
  return process.platform === 'linux' ? fromProc(pid) : fromPs(pid);
}

/** Ends a process and, where it leads a process group, all that it started in it. */
export function killGroup(pid: number): void {
  for (const target of [-pid, pid]) {
    try {
      process.kill(target, 'SIGKILL');
    } catch {
      // Already gone, or not the leader of a group.
    }
  }
}

/** Half as much of a processor as others that want it: work that takes minutes may take longer, but is not to stop. */
const BACKGROUND_NICENESS = 3;

/**
 * Lowers the priority of a process and of the processes that it will start. sched(7): with autogrouping, nice values count
 * within a session only, and each session has a value of its own. Only administrators may set that value more often than
 * every tenth of a second.
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
      // It has ended, or another value was set a moment ago. The process works anyway.
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
    // Half written when the power went: there is no pid in it to act on.
    rmSync(path, { force: true });
    return undefined;
  }
}

/**
 * proc(5): field 22 of /proc/[pid]/stat is the start time in ticks since boot; field 2, in parentheses, may hold
 * spaces. The command is left out: it changes when a wrapper such as setpriv becomes the program.
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

/** When the process started, to the second, which is all that ps tells; hence its command as well. */
function fromPs(pid: number): string | undefined {
  try {
    const columns = ['-o', 'lstart=', '-o', 'command=', '-p', String(pid)];
    return execFileSync('ps', columns, { encoding: 'utf8' }).trim() || undefined;
  } catch {
    return undefined;
  }
}

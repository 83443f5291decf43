/** Runs a program under limits, and ends it when this process ends. Uses `setpriv` and `prlimit` (util-linux) if they are installed. */
import type { ChildProcess } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { readFile } from 'node:fs/promises';

export type Limits = {
  /** The limit of address space. `watchMemory` kills the program earlier, because ffmpeg 5.1 may loop if it gets no memory. */
  addresses_bytes: number;
  /** The limit of processor time, seconds. A program that exceeds the limit receives SIGXCPU. */
  cpu_s: number;
  file_bytes: number;
};

const LOOK_MS = 100;
/** The page size of x86-64, and of arm64 on Lambda and Debian. */
const PAGE_BYTES = 4096;
/** The maximum number of open files: enough for pipes, one connection and the files of codecs. */
const MAX_OPEN_FILES = 64;

const isInstalled = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};
const setpriv = isInstalled('/usr/bin/setpriv') ? ['/usr/bin/setpriv', '--pdeathsig', 'KILL'] : [];
const prlimit = isInstalled('/usr/bin/prlimit') ? ['/usr/bin/prlimit'] : [];

/** Returns a command line that runs `command` under limits, with the process id of the command line. */
export function confineProgram(
  command: string,
  args: readonly string[],
  limits: Limits,
): [string, ...string[]] {
  const { addresses_bytes, cpu_s, file_bytes } = limits;
  const limited = prlimit.flatMap((program) => [
    ...[program, `--as=${addresses_bytes}`, `--cpu=${cpu_s}:${cpu_s + 5}`, `--fsize=${file_bytes}`],
    ...['--core=0', `--nofile=${MAX_OPEN_FILES}`, '--'],
  ]);
  return [...setpriv, ...limited, command, ...args] as unknown as [string, ...string[]];
}

/** Kills the program if it uses more memory than `most_bytes`. Works only on Linux. */
export function watchMemory(child: ChildProcess, most_bytes: number) {
  const watch = { isExceeded: false, stop: () => clearInterval(looking) };
  const looking = setInterval(async () => {
    const statm = await readFile(`/proc/${child.pid}/statm`, 'latin1').catch(() => '');
    const pages = Number(statm.split(' ')[1] ?? 0);
    if (pages * PAGE_BYTES <= most_bytes) return;
    watch.isExceeded = true;
    child.kill('SIGKILL');
  }, LOOK_MS);
  return watch;
}

/** Whether the program is missing or not executable: `prlimit` and `setpriv` then end with exit code 126 or 127. */
export const wasNotExecuted = (code: number | null, log: readonly string[]): boolean =>
  (code === 126 || code === 127) && log.some((line) => /failed to execute/.test(line));

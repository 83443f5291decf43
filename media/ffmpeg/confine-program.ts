/**
 * Runs a program under limits, and so that it dies with this process: by `setpriv` and `prlimit` of util-linux, where
 * they are installed (Debian, Lambda's image). Elsewhere a program that outlives us ends as its pipes break.
 */
import type { ChildProcess } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { readFile } from 'node:fs/promises';

export type Limits = {
  /** Address space: a backstop. Refused memory, ffmpeg 5.1 may spin rather than end, so `watchMemory` comes before it. */
  addresses_bytes: number;
  /** Processor time; then the program gets SIGXCPU. */
  cpu_s: number;
  /** The largest file that it may write. */
  file_bytes: number;
};

const LOOK_MS = 100;
/** Of x86-64, and of arm64 as Lambda and Debian run it. */
const PAGE_BYTES = 4096;
/** Enough for pipes, one connection and the files of codecs. */
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

/** The command line that runs `command` so; it replaces itself by the program, whose process id it therefore is. */
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

/** Kills the program once it holds more memory than that, where the kernel tells (Linux). */
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

/** What `prlimit` and `setpriv` say, with exit code 126 or 127, of a program that is not there or not executable. */
export const wasNotExecuted = (code: number | null, log: readonly string[]): boolean =>
  (code === 126 || code === 127) && log.some((line) => /failed to execute/.test(line));

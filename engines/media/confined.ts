/**
 * Runs a program under limits, and so that it dies with this process: by `setpriv` and `prlimit` of util-linux, where
 * they are installed (Debian, Lambda's image). Elsewhere a program that outlives us ends as its pipes break.
 */
import { accessSync, constants } from 'node:fs';

export type Limits = {
  /** Address space. What a file makes a decoder ask for beyond it is refused, and the program says so. */
  memory_bytes: number;
  /** Processor time; then the program gets SIGXCPU. */
  cpu_s: number;
  /** The largest file that it may write. */
  file_bytes: number;
};

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
export function confined(command: string, args: readonly string[], limits: Limits): [string, ...string[]] {
  const { memory_bytes, cpu_s, file_bytes } = limits;
  const limited = prlimit.flatMap((program) => [
    ...[program, `--as=${memory_bytes}`, `--cpu=${cpu_s}:${cpu_s + 5}`, `--fsize=${file_bytes}`],
    ...['--core=0', `--nofile=${MAX_OPEN_FILES}`, '--'],
  ]);
  return [...setpriv, ...limited, command, ...args] as unknown as [string, ...string[]];
}

/** What `prlimit` and `setpriv` say, with exit code 126 or 127, of a program that is not there or not executable. */
export const wasNotExecuted = (code: number | null, log: readonly string[]): boolean =>
  (code === 126 || code === 127) && log.some((line) => /failed to execute/.test(line));

/** Starts a server as a separate process. The process is recorded, and ends with the local cloud. */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, openSync } from 'node:fs';
import { killGroup, type ProcessRecords } from './processes.ts';

export type ChildOptions = {
  /** The name of the server in messages, such as "S3". */
  what: string;
  command: string;
  args: string[];
  cwd?: string;
  env?: Record<string, string>;
  /** The log file for stderr, and also for stdout unless `readsOutput` is set. */
  logFile: string;
  /** Whether stdout is a pipe that the caller reads. */
  readsOutput?: boolean;
  records: ProcessRecords;
};

export type Child = {
  process: ChildProcess;
  /** Resolves when the process ends, with the reason: "exit status 1", "signal: SIGKILL". */
  exited: Promise<string>;
  /** Sends SIGTERM, and after `graceMs` SIGKILL. Resolves when the process has ended. */
  stop(graceMs?: number): Promise<void>;
};

/**
 * Starts the program in a separate process group, so that Ctrl-C reaches only the local cloud, which then stops its parts in order.
 * The standard input of the program is a pipe that closes when the local cloud ends, even by a crash. Servers can watch this pipe.
 */
export function startChild(options: ChildOptions): Child {
  const { what, records, logFile } = options;
  const log = openSync(logFile, 'a');
  const { command, args } = diesWithParent(options);
  const child = spawn(command, args, {
    detached: true,
    stdio: ['pipe', options.readsOutput ? 'pipe' : log, log],
    ...(options.cwd ? { cwd: options.cwd } : {}),
    ...(options.env ? { env: options.env } : {}),
  });
  if (child.pid) records.add(child.pid, what);
  const exited = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code, signal) => resolve(signal ? `signal: ${signal}` : `exit status ${code}`));
  }).then((how) => {
    if (child.pid) records.remove(child.pid);
    return how;
  });
  // If the child ends, writing to the pipe fails. `exited` reports the end.
  child.stdin?.on('error', () => {});

  return {
    process: child,
    exited,
    async stop(graceMs = 5_000) {
      child.kill('SIGTERM');
      const timer = setTimeout(() => child.pid && killGroup(child.pid), graceMs);
      await exited;
      clearTimeout(timer);
    },
  };
}

/**
 * Linux: setpriv (util-linux) makes the kernel end the program when its parent ends, even by kill -9. On other systems, the next
 * start of the local cloud finds the record of the program and ends it.
 */
function diesWithParent({ command, args }: ChildOptions): { command: string; args: string[] } {
  const setpriv = ['/usr/bin/setpriv', '/bin/setpriv'].find(existsSync);
  if (process.platform !== 'linux' || !setpriv) return { command, args };
  return { command: setpriv, args: ['--pdeathsig', 'KILL', command, ...args] };
}

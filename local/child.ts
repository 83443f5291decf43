/** A server that runs as a process of its own beside the local cloud: started, recorded, ended with it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, openSync } from 'node:fs';
import { killGroup, type ProcessRecords } from './processes.ts';

export type ChildOptions = {
  /** Its name in messages, such as "S3". */
  what: string;
  command: string;
  args: string[];
  cwd?: string;
  env?: Record<string, string>;
  /** Gets stderr, and stdout unless that is read. */
  logFile: string;
  /** Whether stdout is a pipe that the caller reads. */
  readsOutput?: boolean;
  records: ProcessRecords;
};

export type Child = {
  process: ChildProcess;
  /** Resolves with how it ended: "exit status 1", "signal: SIGKILL". */
  exited: Promise<string>;
  /** SIGTERM, then SIGKILL after a while; resolves when it is gone. */
  stop(graceMs?: number): Promise<void>;
};

/**
 * Starts the program in a process group of its own, so that Ctrl-C reaches only the local cloud, which then stops its
 * parts in order. Its standard input is a pipe that closes when the local cloud dies, for servers that watch it.
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
  // A child that ends closes the pipe. `exited` reports that end.
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
 * Linux: setpriv (util-linux) asks the kernel to end the program when its parent dies, even by kill -9. Elsewhere the
 * next start ends it by its record.
 */
function diesWithParent({ command, args }: ChildOptions): { command: string; args: string[] } {
  const setpriv = ['/usr/bin/setpriv', '/bin/setpriv'].find(existsSync);
  if (process.platform !== 'linux' || !setpriv) return { command, args };
  return { command: setpriv, args: ['--pdeathsig', 'KILL', command, ...args] };
}

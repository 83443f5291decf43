/** Runs the program of a local engine. Its standard input is text, and its standard output is bytes. */
import { spawn } from 'node:child_process';
import { confineProgram, type Limits } from '../media/ffmpeg/confine-program.ts';
import { defined } from '../shared/checked-access.ts';
import { collectBytes } from '../shared/collect-bytes.ts';
import { engineUnavailable, internalError, timedOut } from '../shared/job-errors.ts';

export interface Run {
  readonly command: string;
  readonly args: readonly string[];
  readonly input: string;
  readonly limits: Limits;
  /** The environment variable PATH of the program. The program gets no other variables, except a locale. */
  readonly path: string;
  readonly timeout_ms: number;
  readonly max_output_bytes: number;
  readonly signal: AbortSignal | undefined;
  /** Sentences for people, one for each kind of failure. */
  readonly failures: {
    readonly missing: string;
    readonly late: string;
    readonly tooMuch: string;
  };
}

export interface Finished {
  readonly output: Buffer;
  /** The program's standard error. */
  readonly log: string;
  readonly hasSucceeded: boolean;
}

/** The exit codes of a shell or `prlimit` for a program that is missing or not executable. */
const NOT_EXECUTED = [126, 127];

/** Throws a JobError if the program is missing, writes too much or takes too long. */
export async function runProgram(run: Run): Promise<Finished> {
  const { signal, failures } = run;
  const [program, ...args] = confineProgram(run.command, run.args, run.limits);
  // The program has its own process group, so that one signal ends all programs of a pipeline.
  const child = spawn(program, args, {
    stdio: 'pipe',
    env: { PATH: run.path, LC_ALL: 'C.UTF-8' },
    detached: true,
  });
  const deadline = AbortSignal.timeout(run.timeout_ms);
  const ending = signal ? AbortSignal.any([signal, deadline]) : deadline;
  const end = () => killGroup(child.pid);
  ending.addEventListener('abort', end, { once: true });
  try {
    const exiting = new Promise<{ code: number | null; failure?: NodeJS.ErrnoException }>((resolve) => {
      child.once('error', (failure) => resolve({ code: null, failure }));
      child.once('close', (code) => resolve({ code }));
    });
    // If the program ends early, writing to it fails. The exit code then gives the reason.
    child.stdin.on('error', () => {});
    child.stdin.end(run.input);
    const tooMuch = () => internalError(failures.tooMuch);
    const [output, errors] = await Promise.all(
      [child.stdout, child.stderr].map((stream) => collectBytes(stream, run.max_output_bytes, tooMuch)),
    );
    const { code, failure } = await exiting;
    const log = defined(errors).toString('utf8');
    signal?.throwIfAborted();
    if (deadline.aborted) throw timedOut(failures.late);
    const isMissing =
      failure?.code === 'ENOENT' || failure?.code === 'EACCES' || NOT_EXECUTED.includes(code ?? 0);
    if (isMissing) throw engineUnavailable(failures.missing, failure);
    if (failure) throw failure;
    return { output: defined(output), log, hasSucceeded: code === 0 };
  } finally {
    ending.removeEventListener('abort', end);
    end();
  }
}

function killGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    const hasEnded = error instanceof Error && 'code' in error && error.code === 'ESRCH';
    if (!hasEnded) throw error;
  }
}

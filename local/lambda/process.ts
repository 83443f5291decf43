/**
 * An execution environment of a function. As on Lambda, it is a process and not a thread, so that `process.exit`, a crash or an
 * endless loop affects only this environment. It has its own process group, so that its programs (ffmpeg, pocketsphinx) end with it
 * at a time-out.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { giveWay, killGroup, type ProcessRecords } from '../processes.ts';
import type { FunctionView } from '../template/compute.ts';
import type { FunctionError, Invocation, WorkerMessage } from './protocol.ts';

export type Outcome = { payload: string } | { error: FunctionError };

export type Environment = {
  /** Invokes the function. Never rejects: a crash, a time-out or a thrown error is an outcome. */
  invoke(invocation: Omit<Invocation, 'deadlineMs'>): Promise<Outcome>;
  /** Returns false after a crash, a time-out or a failed start. The next invocation then needs a new environment. */
  isAlive(): boolean;
  /** Ends the process. Resolves when it has ended. */
  end(): Promise<void>;
};

export type EnvironmentOptions = {
  fn: FunctionView;
  variables: Record<string, string>;
  /** Whether the process and its programs have a lower priority. */
  isBackground: boolean;
  records: ProcessRecords;
  onOutput: (chunk: Buffer) => void;
  onGone: () => void;
};

/** The time limit of the init phase, seconds. Lambda's limit is 10 seconds, but a laptop may start all environments at the same time. */
const INIT_TIMEOUT_S = 60;

const workerFile = fileURLToPath(new URL('worker.ts', import.meta.url));

export function startEnvironment({
  fn,
  variables,
  isBackground,
  records,
  onOutput,
  onGone,
}: EnvironmentOptions): Environment {
  const child = spawn(process.execPath, [...nodeFlags(fn), workerFile, fn.codePath, fn.handler], {
    env: variables,
    cwd: fn.codePath,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  if (child.pid) records.add(child.pid, `Lambda ${fn.name}`);
  if (child.pid && isBackground) void giveWay(child.pid);
  (child.stdout as Readable).on('data', onOutput);
  (child.stderr as Readable).on('data', onOutput);

  let alive = true;
  const exited = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code, signal) => resolve(signal ? `signal: ${signal}` : `exit status ${code}`));
  });
  const gone = exited.then(async () => {
    alive = false;
    if (child.pid) {
      killGroup(child.pid);
      records.remove(child.pid);
    }
    await lastOutput(child);
    onGone();
  });
  const ending = endingOf(exited);
  const initialized = firstMessage(child);

  async function end(): Promise<void> {
    alive = false;
    if (child.pid) killGroup(child.pid);
    await gone;
  }

  /** Waits until the first of these: the answer, the end of the process, or the time-out. */
  async function race(answer: Promise<WorkerMessage>, seconds: number, requestId: string) {
    const earliest = Promise.withResolvers<WorkerMessage | undefined>();
    const timer = setTimeout(earliest.resolve, seconds * 1000, undefined);
    const forget = ending.hear((how) =>
      earliest.resolve(failure('Runtime.ExitError', requestId, `Runtime exited with error: ${how}`)),
    );
    answer.then(earliest.resolve, earliest.reject);
    const first = await earliest.promise;
    clearTimeout(timer);
    forget();
    if (first) return first;
    await end();
    return failure('Sandbox.Timedout', requestId, `Task timed out after ${seconds.toFixed(2)} seconds`);
  }

  return {
    isAlive: () => alive,
    end,
    async invoke(invocation) {
      const { requestId } = invocation;
      const start = await race(initialized, INIT_TIMEOUT_S, requestId);
      if (start.type === 'init-failed') await end();
      if ('error' in start) return { error: start.error };

      const answer = answerTo(child, requestId);
      const deadlineMs = Date.now() + fn.timeoutSeconds * 1000;
      child.send({ ...invocation, deadlineMs } satisfies Invocation, () => {
        // If sending fails, the process has ended. `race` reports this.
      });
      const outcome = await race(answer, fn.timeoutSeconds, requestId);
      if (outcome.type === 'result') return { payload: outcome.payload };
      return 'error' in outcome ? { error: outcome.error } : unexpected(outcome);
    },
  };
}

/**
 * Notifies listeners of the end of the process. Unlike handlers of a promise, listeners can be removed. Otherwise, each invocation
 * and its answer would stay in memory until the process ends.
 */
function endingOf(exited: Promise<string>) {
  const hearers = new Set<(how: string) => void>();
  let ended: string | undefined;
  void exited.then((how) => {
    ended = how;
    for (const hear of hearers) hear(how);
  });
  return {
    /** @returns a function that removes the listener */
    hear(hearer: (how: string) => void): () => void {
      if (ended === undefined) hearers.add(hearer);
      else hearer(ended);
      return () => void hearers.delete(hearer);
    },
  };
}

/** Waits for output that is still in the pipes, but only for a short time: a program that left the process group may keep the pipes open. */
async function lastOutput(child: ChildProcess): Promise<void> {
  const pipes = [child.stdout, child.stderr].filter((pipe) => pipe && !pipe.closed);
  const ends = pipes.map((pipe) => new Promise((resolve) => pipe?.once('close', resolve)));
  await Promise.race([Promise.all(ends), sleep(500)]);
}

function nodeFlags(fn: FunctionView): string[] {
  return [`--max-old-space-size=${fn.memoryMegabytes}`, '--disable-warning=ExperimentalWarning'];
}

function firstMessage(child: ChildProcess): Promise<WorkerMessage> {
  return new Promise((resolve) => child.once('message', (message) => resolve(message as WorkerMessage)));
}

function answerTo(child: ChildProcess, requestId: string): Promise<WorkerMessage> {
  return new Promise((resolve) => {
    child.on('message', function listen(received) {
      const message = received as WorkerMessage;
      if (!('requestId' in message) || message.requestId !== requestId) return;
      child.off('message', listen);
      resolve(message);
    });
  });
}

/** Returns a failure that the runtime did not report itself. Lambda puts the request id before its message. */
function failure(errorType: string, requestId: string, message: string): WorkerMessage {
  const errorMessage = `RequestId: ${requestId} Error: ${message}`;
  return { type: 'failed', requestId, error: { errorType, errorMessage } };
}

function unexpected(message: WorkerMessage): never {
  throw new Error(`a function's process sent ${message.type} where an answer was due`);
}

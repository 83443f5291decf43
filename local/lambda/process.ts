/**
 * One execution environment of a function. It is a process and not a thread, as on Lambda, so that `process.exit`, a crash
 * or an endless loop ends it alone. It leads a process group of its own, so that the programs that it started (ffmpeg,
 * pocketsphinx) end with it at a time-out.
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
  /** Rejects never: a crash, a time-out and a thrown error are outcomes. */
  invoke(invocation: Omit<Invocation, 'deadlineMs'>): Promise<Outcome>;
  /** False once it has crashed, timed out or failed to start: the next invocation needs a new one. */
  isAlive(): boolean;
  /** Resolves when the process is gone. */
  end(): Promise<void>;
};

export type EnvironmentOptions = {
  fn: FunctionView;
  variables: Record<string, string>;
  /** Whether it, with all that it starts, leaves the processors to others that want them. */
  isBackground: boolean;
  records: ProcessRecords;
  onOutput: (chunk: Buffer) => void;
  onGone: () => void;
};

/** Lambda gives the init phase 10 seconds; a laptop that starts everything at once is granted more. */
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

  /** The first of: the answer, the end of the process, the end of the time. */
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
        // A failed send means that the process is gone, which `race` tells.
      });
      const outcome = await race(answer, fn.timeoutSeconds, requestId);
      if (outcome.type === 'result') return { payload: outcome.payload };
      return 'error' in outcome ? { error: outcome.error } : unexpected(outcome);
    },
  };
}

/**
 * Notifies listeners of the end of the process, and lets them unsubscribe. Waiting for a promise would keep each invocation,
 * with its answer, in memory for as long as the process lives.
 */
function endingOf(exited: Promise<string>) {
  const hearers = new Set<(how: string) => void>();
  let ended: string | undefined;
  void exited.then((how) => {
    ended = how;
    for (const hear of hearers) hear(how);
  });
  return {
    /** @returns forgets it */
    hear(hearer: (how: string) => void): () => void {
      if (ended === undefined) hearers.add(hearer);
      else hearer(ended);
      return () => void hearers.delete(hearer);
    },
  };
}

/** Output may still be in the pipes. A program that left the group may hold them open forever. */
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

/** Lambda puts the request id before the message of an error that the runtime did not report itself. */
function failure(errorType: string, requestId: string, message: string): WorkerMessage {
  const errorMessage = `RequestId: ${requestId} Error: ${message}`;
  return { type: 'failed', requestId, error: { errorType, errorMessage } };
}

function unexpected(message: WorkerMessage): never {
  throw new Error(`a function's process sent ${message.type} where an answer was due`);
}

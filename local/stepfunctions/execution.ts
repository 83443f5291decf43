/** Runs one execution, from the last record of its journal to its end. */
import { cancellation } from './cancellation.ts';
import { executionContext } from './context.ts';
import { Cancelled, type Failure, StateError } from './errors.ts';
import { walk } from './interpreter.ts';
import type { Journal } from './journal.ts';
import type { Json, StateMachine } from './language.ts';
import { apply, type Progress } from './progress.ts';
import type { JournalRecord, Unstamped } from './records.ts';
import type { Run, Services } from './run.ts';

type Finish = Pick<Extract<JournalRecord, { kind: 'finish' }>, 'status' | 'output' | 'failure'>;

export interface LiveExecution {
  run: Run;
  /** Ends the execution on a request from outside. Has no effect after its end. */
  stop(failure: Failure): void;
  /** Stops the execution without ending it. It can continue later from its journal. */
  halt(): void;
  /** Resolves when the end is on disk. After `halt`, resolves when the journal is closed. */
  settled: Promise<void>;
}

export interface Beginning {
  progress: Progress;
  machine: StateMachine;
  journal: Journal<JournalRecord>;
  services: Services;
}

/** Runs the execution. All records are written by one function, so that the state and the journal are always equal. */
export function carry({ progress, machine, journal, services }: Beginning): LiveExecution {
  const whole = cancellation();
  const requested = Promise.withResolvers<Finish>();
  let closing = false;

  const write = (record: Unstamped): void => {
    const stamped = { ...record, at: services.clock.now() } as JournalRecord;
    apply(progress, stamped);
    journal.append(stamped);
  };
  const run: Run = {
    services,
    progress,
    machine,
    commit(record) {
      if (whole.signal.aborted) throw new Cancelled();
      write(record);
    },
    durable: () => journal.flushed(),
    walk,
    isClosing: () => closing,
    answers: new Map(),
    heartbeats: new Map(),
  };

  const toTheEnd = async (): Promise<void> => {
    const walked = conclude(walk(rootFrame(run, whole.signal)));
    try {
      const finish = await Promise.race([walked, deadline(run, whole.signal), requested.promise]);
      whole.cancel();
      write({ kind: 'finish', scope: '', ...finish });
    } catch (error) {
      if (!(error instanceof Cancelled)) throw error;
    } finally {
      whole.cancel();
      await Promise.allSettled([walked]);
    }
  };
  const settle = async (): Promise<void> => {
    try {
      if (!progress.finish) await toTheEnd();
    } finally {
      await journal.close();
    }
  };

  return {
    run,
    stop: (failure) => requested.resolve({ status: 'ABORTED', failure }),
    halt: () => {
      closing = true;
      whole.cancel();
    },
    settled: settle(),
  };
}

function rootFrame(run: Run, signal: AbortSignal) {
  const { root, begin } = run.progress;
  return { run, scope: root, states: run.machine, signal, inherited: {}, execution: executionContext(begin) };
}

/** Returns the end of an execution that its states determine. */
async function conclude(walked: Promise<Json>): Promise<Finish> {
  try {
    return { status: 'SUCCEEDED', output: await walked };
  } catch (error) {
    if (error instanceof Cancelled) throw error;
    if (error instanceof StateError) return { status: 'FAILED', failure: error.failure };
    // The error is a bug of this executor. The execution shows the error, and the log contains its stack.
    console.error('stepfunctions:', error);
    return { status: 'FAILED', failure: { error: 'States.Runtime', cause: String(error) } };
  }
}

/** Resolves when the machine's TimeoutSeconds have passed since the start. Time while the server is stopped counts, too. */
async function deadline({ machine, progress, services }: Run, signal: AbortSignal): Promise<Finish> {
  if (machine.TimeoutSeconds === undefined) return new Promise(() => {});
  await services.clock.until(progress.begin.at + machine.TimeoutSeconds * 1000, signal);
  return { status: 'TIMED_OUT', failure: { error: 'States.Timeout' } };
}

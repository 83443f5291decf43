/**
 * The records of an execution in its journal. The state (progress.ts) and the history (history.ts) are computed from the records in
 * order, so nothing else is stored.
 *
 * A scope is a list of states that is being executed: the execution itself, a branch, or an iteration. Its path stays the same
 * after restarts: '' for the execution, and `/<visit>.<attempt>.<index>` for each level below.
 */
import type { Failure } from './errors.ts';
import type { Json, JsonObject, StateType } from './language.ts';

export type ExecutionStatus = 'RUNNING' | 'SUCCEEDED' | 'FAILED' | 'TIMED_OUT' | 'ABORTED';

/** A scheduled task. If it has no answer after a restart, it is repeated unchanged. */
export interface ScheduledTask {
  resource: string;
  arguments: Json;
  /** The same for every repetition of this attempt. */
  idempotencyKey: string;
  token?: string;
  timeoutSeconds?: number;
  heartbeatSeconds?: number;
}

interface Stamped {
  /** Milliseconds since the epoch. */
  at: number;
  scope: string;
}

export interface Begin extends Stamped {
  kind: 'begin';
  arn: string;
  name: string;
  machineArn: string;
  /** The hash of the definition. The execution runs this definition to the end, even after another one is deployed. */
  definition: string;
  /** The input as JSON text. */
  input: string;
  /** Set for a nested execution: the idempotency key of the task that started it. */
  startedBy?: string;
}

export type JournalRecord =
  | Begin
  | (Stamped & { kind: 'enter'; state: string; type: StateType; input: Json })
  | (Stamped & { kind: 'schedule'; task: ScheduledTask })
  | (Stamped & { kind: 'submit'; output: Json })
  | (Stamped & { kind: 'succeed'; output: Json })
  | (Stamped & { kind: 'fail'; failure: Failure; taskFailed: boolean })
  | (Stamped & { kind: 'retry'; retrier: number; wakeAt: number })
  | (Stamped & { kind: 'wait'; until: number })
  | (Stamped & { kind: 'fan'; fan: Fan })
  | (Stamped & { kind: 'open'; parent: string; index: number; input: Json })
  | (Stamped & { kind: 'exit'; output: Json; assign?: JsonObject; next?: string })
  | (Stamped & { kind: 'end'; output?: Json; failure?: Failure })
  | (Stamped & { kind: 'finish'; status: ExecutionStatus; output?: Json; failure?: Failure });

/** The inputs of a Parallel or Map. They are computed once, when it starts. */
export type Fan =
  | { as: 'branches'; input: Json }
  | {
      as: 'iterations' | 'children';
      items: Json[];
      concurrency: number;
      tolerance: Tolerance;
      mapRunArn?: string;
    };

/** The maximum number of failed items in a Map, as a count and as a percentage. */
export interface Tolerance {
  count?: number;
  percentage?: number;
}

/** A record without its time. */
export type Unstamped<T extends JournalRecord = JournalRecord> = T extends JournalRecord
  ? Omit<T, 'at'>
  : never;

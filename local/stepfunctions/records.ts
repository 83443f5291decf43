/**
 * The records of an execution in its journal. The state (progress.ts) and the history (history.ts) are computed from
 * the records in order, so nothing else is stored.
 *
 * A scope is a running list of states: the execution itself, a branch, or an iteration. Its path stays the same after
 * restarts: '' for the execution, then `/<visit>.<attempt>.<index>` per level.
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
  /** Content hash of the definition. The execution runs it to the end, even if another one is deployed later. */
  definition: string;
  /** JSON text, as given. */
  input: string;
  /** The idempotency key of the task that started it, for nested executions. */
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

/** The inputs of a Parallel or Map, fixed when it started. */
export type Fan =
  | { as: 'branches'; input: Json }
  | {
      as: 'iterations' | 'children';
      items: Json[];
      concurrency: number;
      tolerance: Tolerance;
      mapRunArn?: string;
    };

/** How many failed items a Map tolerates, as a count and as a percentage. */
export interface Tolerance {
  count?: number;
  percentage?: number;
}

/** A record without its time. */
export type Unstamped<T extends JournalRecord = JournalRecord> = T extends JournalRecord
  ? Omit<T, 'at'>
  : never;

/**
 * The records of an execution in its journal. Folding the records in order gives its state (progress.ts) and its
 * history (history.ts), so nothing else has to be stored.
 *
 * A scope is a list of states being walked: the execution itself, a branch, an iteration. Its path is stable over
 * restarts: '' for the execution, then `/<visit>.<attempt>.<index>` per level.
 */

import type { Failure } from './errors.ts';
import type { Json, JsonObject, StateType } from './language.ts';

export type ExecutionStatus = 'RUNNING' | 'SUCCEEDED' | 'FAILED' | 'TIMED_OUT' | 'ABORTED';

/** A task as it was handed out; repeated as it stands when a restart finds it unanswered. */
export interface ScheduledTask {
  resource: string;
  arguments: Json;
  /** The same for every hand-out of this attempt. */
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

/** How many failed items a Map puts up with, by count and by percentage. */
export interface Tolerance {
  count?: number;
  percentage?: number;
}

/** A record before it is stamped with the time. */
export type Unstamped<T extends JournalRecord = JournalRecord> = T extends JournalRecord
  ? Omit<T, 'at'>
  : never;

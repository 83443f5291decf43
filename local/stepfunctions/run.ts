/** One execution under way, and what its states need of the world. */

import type { Clock } from './clock.ts';
import { Cancelled } from './errors.ts';
import type { Json, JsonObject, State, StateMachine, States } from './language.ts';
import type { Progress, Scope, Visit } from './progress.ts';
import type { ExecutionStatus, JournalRecord, Unstamped } from './records.ts';

/** Tells when the work begins: what passes before is no time that it takes. Without a word, it begins at once. */
export type BeginsWith = (place: Promise<unknown>) => void;

/** A Lambda's answer, or the error that its function reported. Rejects where the service itself failed. */
export type Invoke = (
  functionArn: string,
  payload: unknown,
  context: { idempotencyKey: string; signal: AbortSignal; beginsWith?: BeginsWith },
) => Promise<
  { payload: unknown } | { functionError: { errorType: string; errorMessage: string; trace?: string[] } }
>;

/** An execution as others see it; times in milliseconds since the epoch, input and output JSON texts. */
export interface Description {
  arn: string;
  name: string;
  machineArn: string;
  status: ExecutionStatus;
  startedAt: number;
  stoppedAt?: number;
  input: string;
  output?: string;
  error?: string;
  cause?: string;
}

/** Starting and following executions from inside one. */
export interface NestedExecutions {
  /** @throws ServiceError as StartExecution does */
  start(request: {
    machineArn: string;
    name: string;
    input: string;
    startedBy?: string;
  }): Promise<{ arn: string; startedAt: number }>;
  ended(arn: string): Promise<Description>;
  stop(arn: string, failure: { error?: string; cause?: string }): Promise<unknown>;
}

export interface Services {
  clock: Clock;
  region: string;
  invoke: Invoke;
  nested: NestedExecutions;
  /** @throws AccessDenied where the role of the machine may not do it; without it, every role may do everything */
  permit?: (machineArn: string, action: string, resource: string) => void;
  /** A number in [0, 1), for jitter. */
  random(): number;
}

export interface Run {
  services: Services;
  progress: Progress;
  machine: StateMachine;
  /** Applies a record and queues it for the journal. */
  commit(record: Unstamped): void;
  /** Executes a scope to its end; the interpreter, which the states that nest scopes call back. */
  walk(frame: Frame): Promise<Json>;
  /** Resolves when all that was committed so far is on disk; nothing leaves the process before. */
  durable(): Promise<void>;
  /** Whether the server is closing: what is given up now is taken up again, so it must be left as it is. */
  isClosing(): boolean;
  /** Who waits for the answer to a task token; called when the answer has been committed. */
  answers: Map<string, () => void>;
  /** When each task token was last heard of, in this process. */
  heartbeats: Map<string, number>;
}

/** A scope being walked. */
export interface Frame {
  run: Run;
  scope: Scope;
  states: States;
  signal: AbortSignal;
  /** Variables of the scopes around it, which it may read. */
  inherited: JsonObject;
  /** The Execution part of the context object. */
  execution: JsonObject;
  /** The Map part of the context object, inside an iteration. */
  item?: { Index: number; Value: Json };
}

/** A state being executed. */
export interface Step<S extends State = State> {
  frame: Frame;
  state: S;
  visit: Visit;
}

/** The result of a state: its output, and the next state unless it ends its scope. */
export interface Transition {
  next?: string;
  output: Json;
  assign?: JsonObject;
}

/**
 * Commits a record about a frame's scope.
 * @throws Cancelled where the frame has been given up, so that nothing is written behind its parent's back
 */
export function commit(frame: Frame, record: Unscoped): void {
  if (frame.signal.aborted) throw new Cancelled();
  frame.run.commit({ ...record, scope: frame.scope.path } as Unstamped);
}

type Unscoped<T extends JournalRecord = JournalRecord> = T extends JournalRecord
  ? Omit<T, 'at' | 'scope'>
  : never;

/** Names a state's attempt for ever: the execution, the scope, the visit, the attempt. */
export function attemptKey({ frame, visit }: Step): string {
  return `${frame.run.progress.begin.arn}#${frame.scope.path}/${visit.number}.${visit.attempt}`;
}

/** A running execution, and the services that its states use. */
import type { Clock } from './clock.ts';
import { Cancelled } from './errors.ts';
import type { Json, JsonObject, State, StateMachine, States } from './language.ts';
import type { Progress, Scope, Visit } from './progress.ts';
import type { ExecutionStatus, JournalRecord, Unstamped } from './records.ts';

/** Called if work must wait until it can begin. Its time-out counts only from the moment when `place` resolves. */
export type BeginsWith = (place: Promise<unknown>) => void;

/** Returns the answer of a Lambda, or the error that the function reported. Rejects if the service itself failed. */
export type Invoke = (
  functionArn: string,
  payload: unknown,
  context: { idempotencyKey: string; signal: AbortSignal; beginsWith?: BeginsWith },
) => Promise<
  { payload: unknown } | { functionError: { errorType: string; errorMessage: string; trace?: string[] } }
>;

/** An execution in answers of the API. Times are in milliseconds since the epoch, input and output are JSON texts. */
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

/** Starts and follows executions from a running execution. */
export interface NestedExecutions {
  /** @throws ServiceError with the same errors as StartExecution */
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
  /** @throws AccessDenied if the role of the machine has no permission. If `permit` is absent, every role may do everything */
  permit?: (machineArn: string, action: string, resource: string) => void;
  /** A number in [0, 1), for jitter. */
  random(): number;
}

export interface Run {
  services: Services;
  progress: Progress;
  machine: StateMachine;
  /** Applies a record to the state, and queues it for the journal. */
  commit(record: Unstamped): void;
  /** Runs a scope to its end. States with inner scopes call this. */
  walk(frame: Frame): Promise<Json>;
  /** Resolves when all committed records are on disk. Must be awaited before a request or an answer is sent. */
  durable(): Promise<void>;
  /** Whether the server is closing. Canceled states then continue after a restart, so their records must not be changed. */
  isClosing(): boolean;
  /** Callbacks, by task token. Each is called when the answer has been committed. */
  answers: Map<string, () => void>;
  /** The time of the last heartbeat of each task token, in this process. */
  heartbeats: Map<string, number>;
}

export interface Frame {
  run: Run;
  scope: Scope;
  states: States;
  signal: AbortSignal;
  /** Variables of the outer scopes, which this scope may read. */
  inherited: JsonObject;
  /** The Execution part of the context object. */
  execution: JsonObject;
  /** The Map part of the context object, inside an iteration. */
  item?: { Index: number; Value: Json };
}

export interface Step<S extends State = State> {
  frame: Frame;
  state: S;
  visit: Visit;
}

/** The result of a state: its output and the next state. The next state is absent if the scope ends. */
export interface Transition {
  next?: string;
  output: Json;
  assign?: JsonObject;
}

/** Commits a record about the scope of a frame. If the frame was canceled, throws Cancelled and writes nothing. */
export function commit(frame: Frame, record: Unscoped): void {
  if (frame.signal.aborted) throw new Cancelled();
  frame.run.commit({ ...record, scope: frame.scope.path } as Unstamped);
}

type Unscoped<T extends JournalRecord = JournalRecord> = T extends JournalRecord
  ? Omit<T, 'at' | 'scope'>
  : never;

/** The permanent key of an attempt: execution, scope, visit and attempt. */
export function attemptKey({ frame, visit }: Step): string {
  return `${frame.run.progress.begin.arn}#${frame.scope.path}/${visit.number}.${visit.attempt}`;
}

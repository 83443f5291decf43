/** The part of the Amazon States Language that this executor supports: JSONata states. https://states-language.net/spec.html */
export type Json = null | boolean | number | string | Json[] | JsonObject;
export type JsonObject = { [key: string]: Json };

/** A JSON value in which every string of the form `{% … %}` is a JSONata expression. */
export type Template = Json;
/** A number, or an expression whose value is a number. */
export type NumberField = number | string;

export interface States {
  StartAt: string;
  States: Record<string, State>;
}

export interface StateMachine extends States {
  Comment?: string;
  QueryLanguage?: string;
  Version?: string;
  /** The time limit of the whole execution, seconds. */
  TimeoutSeconds?: number;
}

interface CommonFields {
  Comment?: string;
  QueryLanguage?: string;
  Output?: Template;
  Assign?: JsonObject;
}

interface Continuing extends CommonFields {
  Next?: string;
  End?: boolean;
}

export interface Recovering {
  Retry?: Retrier[];
  Catch?: Catcher[];
}

export interface Retrier {
  ErrorEquals: string[];
  IntervalSeconds?: number;
  BackoffRate?: number;
  MaxAttempts?: number;
  MaxDelaySeconds?: number;
  JitterStrategy?: string;
}

export interface Catcher {
  ErrorEquals: string[];
  Next: string;
  Assign?: JsonObject;
  Output?: Template;
}

export interface PassState extends Continuing {
  Type: 'Pass';
}

export interface WaitState extends Continuing {
  Type: 'Wait';
  Seconds?: NumberField;
  Timestamp?: string;
}

export interface ChoiceRule {
  Condition: string | boolean;
  Next: string;
  Assign?: JsonObject;
  Output?: Template;
}

export interface ChoiceState extends CommonFields {
  Type: 'Choice';
  Choices: ChoiceRule[];
  Default?: string;
}

export interface SucceedState extends CommonFields {
  Type: 'Succeed';
}

export interface FailState extends CommonFields {
  Type: 'Fail';
  Error?: string;
  Cause?: string;
}

export interface TaskState extends Continuing, Recovering {
  Type: 'Task';
  Resource: string;
  Arguments?: Template;
  TimeoutSeconds?: NumberField;
  HeartbeatSeconds?: NumberField;
}

export interface ParallelState extends Continuing, Recovering {
  Type: 'Parallel';
  Branches: States[];
  Arguments?: Template;
}

export interface ItemProcessor extends States {
  ProcessorConfig?: { Mode?: 'INLINE' | 'DISTRIBUTED'; ExecutionType?: 'STANDARD' | 'EXPRESS' };
}

export interface ItemBatcher {
  MaxItemsPerBatch?: NumberField;
  MaxInputBytesPerBatch?: NumberField;
  BatchInput?: Template;
}

export interface MapState extends Continuing, Recovering {
  Type: 'Map';
  ItemProcessor: ItemProcessor;
  Items?: Template;
  ItemSelector?: Template;
  ItemBatcher?: ItemBatcher;
  MaxConcurrency?: NumberField;
  ToleratedFailureCount?: NumberField;
  ToleratedFailurePercentage?: NumberField;
  Label?: string;
}

export type State =
  | PassState
  | WaitState
  | ChoiceState
  | SucceedState
  | FailState
  | TaskState
  | ParallelState
  | MapState;

export type StateType = State['Type'];

/** Returns the Retry and Catch rules of a state. Empty for types that may not have any. */
export function recoveryOf(state: State): Recovering {
  return state.Type === 'Task' || state.Type === 'Parallel' || state.Type === 'Map' ? state : {};
}

/** Yields every list of states in a machine, the outermost first, with its path for messages. */
export function* scopesOf(machine: States, path = 'States'): Generator<{ path: string; scope: States }> {
  yield { path, scope: machine };
  for (const [name, state] of Object.entries(machine.States)) {
    for (const [inner, label] of innerScopes(state)) yield* scopesOf(inner, `${path}/${name}/${label}`);
  }
}

/** Returns the lists of states directly inside a state: the branches of a Parallel, or the processor of a Map. */
export function innerScopes(state: State): [States, string][] {
  if (state.Type === 'Parallel') return state.Branches.map((branch, index) => [branch, `Branches/${index}`]);
  if (state.Type === 'Map') return [[state.ItemProcessor, 'ItemProcessor']];
  return [];
}

export function isDistributed(state: MapState): boolean {
  return state.ItemProcessor.ProcessorConfig?.Mode === 'DISTRIBUTED';
}

/**
 * What the Tasks of the state machines have in common. The files in `state-machines/` leave it out, and `completed`
 * adds it, so that what is deployed, run locally and tested is whole Amazon States Language.
 *
 * Two notations are ours, and gone afterwards. `Shared` of a machine holds fields for each of its Tasks. A `Catch`
 * may be an object from error names to states, `{ "canceled": "Canceled", "States.ALL": "Failed" }`: each error is
 * then kept in the variable `failure`. Whatever a state says itself goes before what is shared.
 */
import { catchers, failed, isShort, type ShortCatch } from './catching.ts';
import { retriers } from './retrying.ts';
import { settingsOf } from './steps.ts';

type Fields = Readonly<Record<string, unknown>>;

export interface State extends Fields {
  readonly Type: string;
  readonly Resource?: string;
  readonly Arguments?: Fields;
  readonly TimeoutSeconds?: number;
  readonly Catch?: ShortCatch | readonly unknown[];
  readonly ItemProcessor?: Scope;
  readonly Branches?: readonly Scope[];
  /** Of a Map. */
  readonly MaxConcurrency?: number;
}

export interface Scope extends Fields {
  readonly States: Readonly<Record<string, State>>;
}

/** A machine as its file has it. */
export interface ShortMachine extends Scope {
  readonly Shared?: { readonly Arguments?: Fields; readonly Catch?: ShortCatch } & Fields;
}

/**
 * The machine in plain Amazon States Language, `${Step}` still standing where the ARN of a function belongs.
 * @param partition of AWS in which the machine runs: `aws`, `aws-cn`
 */
export function completed({ Shared = {}, ...machine }: ShortMachine, partition = 'aws'): Scope {
  const { Catch, ...shared } = Shared;
  const states = mapped(machine.States, (name, state) =>
    caught(filled(name, state, shared, partition), Catch),
  );
  const ends = leadsToFailed(states) ? { Failed: failed } : {};
  return { ...machine, States: { ...states, ...ends } };
}

/** How long a Task waits beyond what its function may take, in seconds: for a cold start and the way there and back. */
export const GRACE_S = 30;

/** A state and those inside it, with what Tasks share but for Catch: what fails inside fails the state around it. */
function filled(name: string, state: State, shared: Fields, partition: string): State {
  if (state.Type === 'Task') return filledTask(name, state, shared, partition);
  const inner = (scope: Scope): Scope => ({
    ...scope,
    States: mapped(scope.States, (each, within) => filled(each, within, shared, partition)),
  });
  return {
    ...state,
    ...(state.ItemProcessor && { ItemProcessor: inner(state.ItemProcessor) }),
    ...(state.Branches && { Branches: state.Branches.map(inner) }),
  };
}

/** A Task that names no other Resource invokes the function that has its name. */
function filledTask(name: string, task: State, shared: Fields, partition: string): State {
  if (task.Resource !== undefined) return { Retry: retriers, ...task };
  const Arguments = {
    FunctionName: `\${${name}}`,
    ...(shared.Arguments as Fields | undefined),
    ...task.Arguments,
  };
  const [, step = name] = /^\$\{(\w+)\}$/.exec(String(Arguments.FunctionName)) ?? [];
  return {
    Resource: `arn:${partition}:states:::lambda:invoke`,
    TimeoutSeconds: settingsOf(step).timeout + GRACE_S,
    Retry: retriers,
    Output: '{% $states.result.Payload %}',
    ...shared,
    ...task,
    Arguments,
  };
}

const catchingTypes = ['Task', 'Map', 'Parallel'];

function caught(state: State, shared: ShortCatch | undefined): State {
  const Catch = state.Catch ?? (catchingTypes.includes(state.Type) ? shared : undefined);
  if (Catch === undefined) return state;
  return { ...state, Catch: isShort(Catch) ? catchers(Catch) : Catch };
}

/** Whether a state is caught by `Failed`, which then need not stand in every file. */
function leadsToFailed(states: Scope['States']): boolean {
  const rules = Object.values(states).flatMap(({ Catch = [] }) => Catch as readonly { Next?: string }[]);
  return states.Failed === undefined && rules.some(({ Next }) => Next === 'Failed');
}

const mapped = (states: Scope['States'], change: (name: string, state: State) => State): Scope['States'] =>
  Object.fromEntries(Object.entries(states).map(([name, state]) => [name, change(name, state)]));

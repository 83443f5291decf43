/** Reads the state machines from their files. Does not use the CDK. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pascalCase } from '../shared/names.ts';
import { retriers } from './retrying.ts';
import { settingsOf } from './steps.ts';

const folder = join(import.meta.dirname, '..', '..', 'state-machines');
const suffix = '.asl.json';

export interface Definition {
  /** `DeleteAsset` for `delete-asset.asl.json`. */
  readonly name: string;
  readonly file: string;
  /** The definition in Amazon States Language, with `${ProbeMedia}` instead of the ARN of a function. */
  readonly body: string;
  /** The logical ids of the functions that the machine invokes, sorted and without duplicates. */
  readonly steps: readonly string[];
}

/** Returns the names in `${…}`, which DefinitionSubstitutions replace. */
function substitutionsOf(body: string): string[] {
  return [...new Set([...body.matchAll(/\$\{([A-Za-z0-9]+)\}/g)].map(([, name]) => name!))].sort();
}

export function readDefinitions(): Definition[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith(suffix))
    .sort()
    .map((file) => {
      const machine: Scope = JSON.parse(readFileSync(join(folder, file), 'utf8'));
      const body = JSON.stringify(completed(machine));
      return { name: pascalCase(file.slice(0, -suffix.length)), file, body, steps: substitutionsOf(body) };
    });
}

/** The seconds that a Task waits longer than the time-out of its function: time for a cold start and the network. */
export const GRACE_S = 30;

/**
 * Adds the time-out and the retries to each Task that has none of its own. Amazon States Language does not require them, so the
 * files in `state-machines/` are valid without them.
 */
export const completed = <Machine extends Scope>(machine: Machine): Machine => ({
  ...machine,
  States: Object.fromEntries(
    Object.entries(machine.States).map(([name, state]) => [name, completedState(state)]),
  ),
});

function completedState(state: State): State {
  const { ItemProcessor, Branches } = state;
  return {
    ...(state.Type === 'Task' && sharedFields(state)),
    ...state,
    ...(ItemProcessor && { ItemProcessor: completed(ItemProcessor) }),
    ...(Branches && { Branches: Branches.map(completed) }),
  };
}

function sharedFields({ Arguments }: State) {
  const [, step] = /^\$\{(\w+)\}$/.exec(String(Arguments?.FunctionName)) ?? [];
  return {
    ...(step !== undefined && { TimeoutSeconds: settingsOf(step).timeout + GRACE_S }),
    Retry: retriers,
  };
}

export interface State {
  readonly Type: string;
  readonly Arguments?: { readonly FunctionName?: unknown };
  readonly MaxConcurrency?: unknown;
  readonly ItemProcessor?: Scope;
  readonly Branches?: readonly Scope[];
}

export interface Scope {
  readonly States: Readonly<Record<string, State>>;
}

/** Returns true for the states to count. A state that contains other states is never counted itself. */
type Counted = (state: State) => boolean;

const every: Counted = () => true;

/** Matches Tasks that invoke one of these steps, by logical id. */
export const tasksOf =
  (steps: ReadonlySet<string>): Counted =>
  ({ Arguments }) =>
    steps.has(String(Arguments?.FunctionName).replace(/^\$\{(.*)\}$/, '$1'));

/**
 * Returns the maximum number of counted states that run at once, from the MaxConcurrency of Maps and the branches of Parallels.
 * @throws Error for a Map without a MaxConcurrency
 */
export const widthOf = ({ States }: Scope, counted = every): number =>
  Math.max(0, ...Object.values(States).map((state) => widthOfState(state, counted)));

function widthOfState(state: State, counted: Counted): number {
  const { Type, MaxConcurrency, ItemProcessor, Branches } = state;
  if (Type === 'Parallel') return (Branches ?? []).reduce((sum, branch) => sum + widthOf(branch, counted), 0);
  if (Type !== 'Map' || ItemProcessor === undefined) return Number(counted(state));
  if (typeof MaxConcurrency !== 'number')
    throw new Error('A Map without a number as its MaxConcurrency may have any number of functions at once');
  return MaxConcurrency * widthOf(ItemProcessor, counted);
}

/** Lowers each MaxConcurrency so that at most `width` counted states run at once. Branches share the width, but each runs at least one. */
export const narrowed = <Machine extends Scope>(
  machine: Machine,
  width: number,
  counted = every,
): Machine => ({
  ...machine,
  States: Object.fromEntries(
    Object.entries(machine.States).map(([name, state]) => [name, narrowedState(state, width, counted)]),
  ),
});

function narrowedState(state: State, width: number, counted: Counted): State {
  const { Branches, ItemProcessor, MaxConcurrency } = state;
  if (Branches) {
    const sharing = Branches.filter((branch) => widthOf(branch, counted) > 0).length;
    const each = Math.max(1, Math.floor(width / Math.max(1, sharing)));
    return { ...state, Branches: Branches.map((branch) => narrowed(branch, each, counted)) };
  }
  if (!ItemProcessor || widthOf(ItemProcessor, counted) === 0) return state;
  const inner = narrowed(ItemProcessor, width, counted);
  const most = Math.max(1, Math.floor(width / widthOf(inner, counted)));
  return { ...state, ItemProcessor: inner, MaxConcurrency: Math.min(Number(MaxConcurrency), most) };
}

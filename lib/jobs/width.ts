/**
 * Counts the functions that an execution of a machine runs at once, from the MaxConcurrency of its Maps and the
 * branches of its Parallels.
 */

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

/** Whether a state counts. A state that contains others does not count itself. */
export type Counted = (state: State) => boolean;

const every: Counted = () => true;

/** Matches Tasks that invoke one of these steps, by logical id. */
export const tasksOf =
  (steps: ReadonlySet<string>): Counted =>
  ({ Arguments }) =>
    steps.has(String(Arguments?.FunctionName).replace(/^\$\{(.*)\}$/, '$1'));

/** The most counted states that run at once. @throws Error for a Map without a MaxConcurrency */
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

/**
 * Lowers each MaxConcurrency so that at most `width` counted states run at once. Branches share the width; each keeps
 * at least one.
 */
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

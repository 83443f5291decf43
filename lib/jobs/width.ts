/** How many functions an execution of a machine has at once: the places of its Maps, and the branches beside each other. */

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

/** Which states take a place; a state takes none by itself that has others inside. */
export type Counted = (state: State) => boolean;

const every: Counted = () => true;

/** Tasks that invoke one of these steps, by logical id. */
export const tasksOf =
  (steps: ReadonlySet<string>): Counted =>
  ({ Arguments }) =>
    steps.has(String(Arguments?.FunctionName).replace(/^\$\{(.*)\}$/, '$1'));

/** The most of what is counted that runs at once in it. @throws Error for a Map that does not say how many items it works on */
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

/** The machine with as few items at once as it takes for so many of what is counted; what has branches keeps one place for each. */
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

/** How many functions an execution of a machine has at once: the places of its Maps, and the branches beside each other. */

interface State {
  readonly Type: string;
  readonly MaxConcurrency?: unknown;
  readonly ItemProcessor?: Scope;
  readonly Branches?: readonly Scope[];
}

export interface Scope {
  readonly States: Readonly<Record<string, State>>;
}

/** The most that runs at once in it. @throws Error for a Map that does not say how many items it works on */
export const widthOf = ({ States }: Scope): number => Math.max(1, ...Object.values(States).map(widthOfState));

function widthOfState({ Type, MaxConcurrency, ItemProcessor, Branches }: State): number {
  if (Type === 'Parallel') return (Branches ?? []).reduce((sum, branch) => sum + widthOf(branch), 0);
  if (Type !== 'Map' || ItemProcessor === undefined) return 1;
  if (typeof MaxConcurrency !== 'number')
    throw new Error('A Map without a number as its MaxConcurrency may have any number of functions at once');
  return MaxConcurrency * widthOf(ItemProcessor);
}

/** The machine with as few items at once as it takes; what has branches keeps one place for each. */
export const narrowed = <Machine extends Scope>(machine: Machine, width: number): Machine => ({
  ...machine,
  States: Object.fromEntries(
    Object.entries(machine.States).map(([name, state]) => [name, narrowedState(state, width)]),
  ),
});

function narrowedState(state: State, width: number): State {
  const { Branches, ItemProcessor, MaxConcurrency } = state;
  if (Branches) {
    const each = Math.max(1, Math.floor(width / Branches.length));
    return { ...state, Branches: Branches.map((branch) => narrowed(branch, each)) };
  }
  if (!ItemProcessor) return state;
  const inner = narrowed(ItemProcessor, width);
  const most = Math.max(1, Math.floor(width / widthOf(inner)));
  return { ...state, ItemProcessor: inner, MaxConcurrency: Math.min(Number(MaxConcurrency), most) };
}

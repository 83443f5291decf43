/**
 * How many functions an execution may run at once. A new account runs ten, of which its API needs some: an execution that
 * wants more only makes its own steps wait for each other, and requests with them.
 */
import type { Quotas } from '../environments.ts';
import type { Scope, State } from './task-fields.ts';

/** Runs that are left to the API and the sweep. */
const LEFT_TO_OTHERS = 2;

export const roomForJobs = ({ lambdaConcurrency }: Quotas): number => lambdaConcurrency - LEFT_TO_OTHERS;

/** Iterations of an inline Map that names no limit (Developer Guide, "Map state processing modes"). */
const UNLIMITED = 40;

/** The most functions that an execution runs at the same time. */
export const mostAtOnce = ({ States }: Scope): number => Math.max(0, ...Object.values(States).map(mostOf));

function mostOf(state: State): number {
  const { Type, Resource = '', Branches = [], ItemProcessor } = state;
  if (Type === 'Task') return Resource.endsWith(':lambda:invoke') ? 1 : 0;
  if (ItemProcessor !== undefined) return widthOf(state) * mostAtOnce(ItemProcessor);
  return Branches.reduce((sum, branch) => sum + mostAtOnce(branch), 0);
}

const widthOf = ({ MaxConcurrency = 0 }: State): number => MaxConcurrency || UNLIMITED;

/** Maps lie no deeper in each other than this. */
const DEPTHS = [0, 1, 2];

/**
 * The machine with narrower Maps, as far as it has to be to run no more than `room` functions at once. The outermost Maps
 * give way first: what is done at all is then done as fast as there is room for.
 */
export function fitted(machine: Scope, room: number): Scope {
  let narrowed = machine;
  for (const depth of DEPTHS) {
    for (let width = UNLIMITED; width >= 1; width -= 1) {
      narrowed = withWidth(narrowed, depth, width);
      if (mostAtOnce(narrowed) <= room) return narrowed;
    }
  }
  return narrowed;
}

/** The scope whose Maps at this depth, counted in Maps, are this wide at most. */
function withWidth(scope: Scope, depth: number, width: number): Scope {
  const states = Object.entries(scope.States).map(([name, state]) => [name, narrowed(state, depth, width)]);
  return { ...scope, States: Object.fromEntries(states) };
}

function narrowed(state: State, depth: number, width: number): State {
  if (state.Branches !== undefined) {
    return { ...state, Branches: state.Branches.map((branch) => withWidth(branch, depth, width)) };
  }
  if (state.ItemProcessor === undefined) return state;
  if (depth > 0) return { ...state, ItemProcessor: withWidth(state.ItemProcessor, depth - 1, width) };
  return { ...state, MaxConcurrency: Math.min(widthOf(state), width) };
}

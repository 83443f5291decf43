/** Runs many scopes inside one state, for Parallel and Map. */
import { cancellation } from '../cancellation.ts';
import { variablesOf } from '../context.ts';
import { StateError } from '../errors.ts';
import { errorDetails } from '../history-events.ts';
import type { Json, States } from '../language.ts';
import type { Scope } from '../progress.ts';
import { commit, type Frame, type Step } from '../run.ts';

export interface Plan {
  length: number;
  /** The maximum number of scopes that run at once. */
  concurrency: number;
  states(index: number): States;
  /** Returns the input of a scope. An error here is an error of the Parallel or Map itself. */
  input(index: number): Promise<Json>;
  /** Returns the members of a scope's frame that differ from those of the parent's frame. */
  surroundings(index: number, child: Scope): Partial<Frame>;
  /** Whether to continue after this number of failures. If not, `intolerable` converts the last failure to the error of the Parallel or Map. */
  tolerates(failures: number): boolean;
  intolerable(failure: StateError): StateError;
}

/**
 * Runs every scope of a plan. Returns their outputs in order. The output of a tolerated failure is its Error Output.
 * @throws StateError when all other scopes have stopped, for the first failure that the plan does not tolerate
 */
export async function fanOut(step: Step, plan: Plan): Promise<Json[]> {
  const { frame, visit } = step;
  const all = cancellation(frame.signal);
  let failures = 0;
  let next = 0;

  const note = (failure: StateError): void => {
    failures += 1;
    if (!plan.tolerates(failures)) throw plan.intolerable(failure);
  };
  const takeNext = async (): Promise<void> => {
    while (next < plan.length) {
      const index = next;
      next += 1;
      const child = visit.children.get(index) ?? (await openChild(step, plan, index, all.signal));
      const failure = await walkChild(step, plan, index, child, all.signal);
      if (failure) note(failure);
    }
  };
  const walkers = Array.from({ length: Math.min(plan.concurrency, plan.length) }, takeNext);
  try {
    await Promise.all(walkers);
    return Array.from({ length: plan.length }, (_, index) => resultOf(visit.children.get(index)!));
  } finally {
    all.cancel();
    all.release();
    await Promise.allSettled(walkers);
  }
}

async function openChild(
  { frame, visit }: Step,
  plan: Plan,
  index: number,
  signal: AbortSignal,
): Promise<Scope> {
  const input = await plan.input(index);
  const path = `${frame.scope.path}/${visit.number}.${visit.attempt}.${index}`;
  if (!signal.aborted) {
    frame.run.commit({ kind: 'open', scope: path, parent: frame.scope.path, index, input });
  }
  return visit.children.get(index)!;
}

/** Runs one scope to its end, and records the end. A scope that ended before a restart does not run again. */
async function walkChild(
  { frame }: Step,
  plan: Plan,
  index: number,
  child: Scope,
  signal: AbortSignal,
): Promise<StateError | undefined> {
  if (!child.ended) {
    const inner: Frame = {
      ...frame,
      scope: child,
      states: plan.states(index),
      signal,
      inherited: variablesOf(frame),
      ...plan.surroundings(index, child),
    };
    try {
      const output = await frame.run.walk(inner);
      commit(inner, { kind: 'end', output });
    } catch (error) {
      if (!(error instanceof StateError)) throw error;
      commit(inner, { kind: 'end', failure: asBranchFailure(error) });
    }
  }
  const { ended } = child;
  return ended && 'failure' in ended ? new StateError(ended.failure) : undefined;
}

/** Removes the location of a failed expression, because the history shows it only in the state that failed. */
function asBranchFailure({ failure }: StateError): StateError['failure'] {
  const { location: _, ...rest } = failure;
  return rest;
}

function resultOf({ ended }: Scope): Json {
  if (!ended) throw new Error('a scope was taken for finished that is not');
  if ('output' in ended) return ended.output;
  const { error, cause } = errorDetails(ended.failure);
  return { ...(error !== undefined && { Error: error }), ...(cause !== undefined && { Cause: cause }) };
}

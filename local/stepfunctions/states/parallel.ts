import { evaluateIn } from '../context.ts';
import { withinDataLimit } from '../errors.ts';
import type { ParallelState } from '../language.ts';
import { commit, type Step, type Transition } from '../run.ts';
import { leave } from '../transition.ts';
import { fanOut } from './fan-out.ts';

/** Executes all branches in parallel with the same input. The result is the list of their outputs. Specification, "Parallel State". */
export async function parallel(step: Step<ParallelState>): Promise<Transition> {
  const { frame, state, visit } = step;
  const { Arguments, Branches } = state;
  if (!visit.fan) {
    const input = Arguments === undefined ? visit.input : await evaluateIn(step, Arguments, 'Arguments');
    withinDataLimit(input, `input of the branches of '${visit.state}'`);
    commit(frame, { kind: 'fan', fan: { as: 'branches', input } });
  }
  const { fan } = visit;
  if (fan?.as !== 'branches')
    throw new Error(`the journal of '${visit.state}' is not that of a Parallel state`);
  const result = await fanOut(step, {
    length: Branches.length,
    concurrency: Branches.length,
    states: (index) => Branches[index]!,
    input: async () => fan.input,
    surroundings: () => ({}),
    tolerates: () => false,
    intolerable: (failure) => failure,
  });
  return leave(step, state, result, { result });
}

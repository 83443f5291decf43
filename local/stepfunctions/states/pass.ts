import type { PassState } from '../language.ts';
import type { Step, Transition } from '../run.ts';
import { leave } from '../transition.ts';

/** Returns its input or its Output. Specification, "Pass State". */
export function pass(step: Step<PassState>): Promise<Transition> {
  return leave(step, step.state, step.visit.input);
}

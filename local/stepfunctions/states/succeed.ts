import type { SucceedState } from '../language.ts';
import type { Step, Transition } from '../run.ts';
import { leave } from '../transition.ts';

/** Ends its scope successfully. Specification, "Succeed State". */
export function succeed(step: Step<SucceedState>): Promise<Transition> {
  return leave(step, step.state, step.visit.input);
}

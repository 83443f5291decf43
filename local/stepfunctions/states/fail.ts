import { evaluateFieldIn } from '../context.ts';
import { StateError } from '../errors.ts';
import { TYPES } from '../jsonata.ts';
import type { FailState } from '../language.ts';
import type { Step, Transition } from '../run.ts';

/** Ends its scope with an error. Specification, "Fail State". */
export async function fail(step: Step<FailState>): Promise<Transition> {
  const { Error: error, Cause: cause } = step.state;
  throw new StateError({
    ...(error !== undefined && { error: await evaluateFieldIn(step, TYPES.string, error, 'Error') }),
    ...(cause !== undefined && { cause: await evaluateFieldIn(step, TYPES.string, cause, 'Cause') }),
  });
}

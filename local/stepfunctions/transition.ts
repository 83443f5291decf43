/** Leaves a state: evaluates Assign and Output, and determines the next state. */
import { type Extra, evaluateIn } from './context.ts';
import { withinDataLimit } from './errors.ts';
import type { Json, JsonObject, Template } from './language.ts';
import type { Step, Transition } from './run.ts';

/** The fields of a state, Choice Rule or Catcher that apply when it leaves the state. */
interface Exit {
  Assign?: JsonObject;
  Output?: Template;
  Next?: string;
}

/**
 * Returns the transition. Assign and Output both read the variables as they were on entry (specification, "Assigning State Machine
 * Variables").
 * @param otherwise the output if the exit has no Output
 * @param at the path of the exit in the state, for messages
 */
export async function leave(
  step: Step,
  exit: Exit,
  otherwise: Json,
  extra: Extra = {},
  at = '',
): Promise<Transition> {
  const transition: Transition = { output: otherwise };
  if (exit.Assign) {
    const assign = await evaluateIn(step, exit.Assign, `${at}Assign`, extra);
    transition.assign = withinDataLimit(assign as JsonObject, `Assign of the state '${step.visit.state}'`);
  }
  if (exit.Output !== undefined)
    transition.output = await evaluateIn(step, exit.Output, `${at}Output`, extra);
  const unchanged = transition.output === step.visit.input;
  if (!unchanged) withinDataLimit(transition.output, `output of the state '${step.visit.state}'`);
  if (exit.Next !== undefined) transition.next = exit.Next;
  return transition;
}

import { evaluateFieldIn } from '../context.ts';
import { StateError } from '../errors.ts';
import { TYPES } from '../jsonata.ts';
import type { ChoiceState } from '../language.ts';
import type { Step, Transition } from '../run.ts';
import { leave } from '../transition.ts';

/**
 * Uses Next, Assign and Output of the first rule whose Condition is true. If no Condition is true, uses Default, and Assign and Output
 * of the state. Specification, "Choice State".
 */
export async function choice(step: Step<ChoiceState>): Promise<Transition> {
  const { state, visit } = step;
  for (const [index, rule] of state.Choices.entries()) {
    const at = `Choices[${index}]/`;
    const isTrue = await evaluateFieldIn(step, TYPES.boolean, rule.Condition, `${at}Condition`);
    if (isTrue) return leave(step, rule, visit.input, {}, at);
  }
  if (state.Default === undefined) {
    const cause = `No Condition of the state '${visit.state}' was true and it has no Default.`;
    throw new StateError({ error: 'States.NoChoiceMatched', cause });
  }
  return leave(step, { ...state, Next: state.Default }, visit.input);
}

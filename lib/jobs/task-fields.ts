/**
 * Adds the time-out and the retries that all Tasks share. Amazon States Language lets a file omit both, so the files in
 * `state-machines/` are valid by themselves.
 */
import { retriers } from './retrying.ts';
import { settingsOf } from './steps.ts';
import type { Scope, State } from './width.ts';

/** How long a Task waits beyond the time-out of its function, in seconds: for a cold start and the way there and back. */
export const GRACE_S = 30;

/** Adds a time-out and retries to each Task that has none of its own. */
export const completed = <Machine extends Scope>(machine: Machine): Machine => ({
  ...machine,
  States: Object.fromEntries(
    Object.entries(machine.States).map(([name, state]) => [name, completedState(state)]),
  ),
});

function completedState(state: State): State {
  const { ItemProcessor, Branches } = state;
  return {
    ...(state.Type === 'Task' && sharedFields(state)),
    ...state,
    ...(ItemProcessor && { ItemProcessor: completed(ItemProcessor) }),
    ...(Branches && { Branches: Branches.map(completed) }),
  };
}

function sharedFields({ Arguments }: State) {
  const [, step] = /^\$\{(\w+)\}$/.exec(String(Arguments?.FunctionName)) ?? [];
  return {
    ...(step !== undefined && { TimeoutSeconds: settingsOf(step).timeout + GRACE_S }),
    Retry: retriers,
  };
}

/** The function that executes each type of state. */
import type { State } from '../language.ts';
import type { Step, Transition } from '../run.ts';
import { choice } from './choice.ts';
import { fail } from './fail.ts';
import { map } from './map.ts';
import { parallel } from './parallel.ts';
import { pass } from './pass.ts';
import { succeed } from './succeed.ts';
import { task } from './task.ts';
import { wait } from './wait.ts';

const executors: { [T in State['Type']]: (step: Step<Extract<State, { Type: T }>>) => Promise<Transition> } =
  {
    Pass: pass,
    Task: task,
    Choice: choice,
    Wait: wait,
    Succeed: succeed,
    Fail: fail,
    Parallel: parallel,
    Map: map,
  };

/** Executes one attempt at a state, or continues it. Throws StateError if the attempt fails, or Cancelled. */
export function executeState(step: Step): Promise<Transition> {
  const execute = executors[step.state.Type] as (step: Step) => Promise<Transition>;
  return execute(step);
}

/** Runs a scope from state to state. The journal contains every step, so a scope can continue after any of them. */
import { Cancelled, type Failure, StateError } from './errors.ts';
import { errorDetails } from './history-events.ts';
import { type Catcher, type Json, recoveryOf, type State } from './language.ts';
import { catcherFor, nextRetry } from './retry.ts';
import { commit, type Frame, type Step, type Transition } from './run.ts';
import { executeState } from './states/index.ts';
import { leave } from './transition.ts';

/** The number of states after which `walk` lets other work run. Otherwise, an endless loop of Pass states would block the server. */
const STATES_PER_TURN = 64;

/** Runs a scope from its current state to its end. Throws StateError if a state fails and no Catcher handles the error. */
export async function walk(frame: Frame): Promise<Json> {
  const { scope, states } = frame;
  for (let count = 1; ; count += 1) {
    if (count % STATES_PER_TURN === 0) await new Promise((resolve) => setImmediate(resolve));
    if (!scope.visit) {
      const isOver = scope.visits > 0 && scope.pending.state === undefined;
      if (isOver) return scope.pending.output;
      const state = scope.pending.state ?? states.StartAt;
      commit(frame, {
        kind: 'enter',
        state,
        type: stateNamed(frame, state).Type,
        input: scope.pending.output,
      });
    }
    const transition = await visit(frame);
    commit(frame, { kind: 'exit', ...transition });
  }
}

/** Executes the current state, with its Retry and Catch rules. */
async function visit(frame: Frame): Promise<Transition> {
  const present = frame.scope.visit!;
  const state = stateNamed(frame, present.state);
  const step: Step = { frame, state, visit: present };
  for (;;) {
    try {
      return await attempt(step);
    } catch (error) {
      if (!(error instanceof StateError)) throw error;
      const { failure } = error;
      if (!present.failure)
        commit(frame, { kind: 'fail', failure, taskFailed: isTaskFailure(step, failure) });
      const { Retry = [], Catch = [] } = recoveryOf(state);
      const { clock, random } = frame.run.services;
      const retry = nextRetry(Retry, present.spent, failure, random);
      if (retry) {
        commit(frame, { kind: 'retry', retrier: retry.retrier, wakeAt: clock.now() + retry.delay });
        continue;
      }
      const catcher = catcherFor(Catch, failure);
      if (!catcher) throw error;
      return await recover(step, catcher, Catch.indexOf(catcher), failure);
    }
  }
}

async function attempt(step: Step): Promise<Transition> {
  const { frame, visit: present } = step;
  if (present.failure) throw new StateError(present.failure);
  if (present.wakeAt !== undefined) await frame.run.services.clock.until(present.wakeAt, frame.signal);
  if (frame.signal.aborted) throw new Cancelled();
  return executeState(step);
}

/** Leaves the state through a Catcher. The result is the Error Output. Specification, "Fallback states". */
async function recover(step: Step, catcher: Catcher, index: number, failure: Failure): Promise<Transition> {
  const { error, cause } = errorDetails(failure);
  const errorOutput = {
    ...(error !== undefined && { Error: error }),
    ...(cause !== undefined && { Cause: cause }),
  };
  return leave(step, catcher, errorOutput, { errorOutput }, `Catch[${index}]/`);
}

/** Whether the task itself failed. False if an expression before or after it failed. */
function isTaskFailure({ visit: { task } }: Step, failure: Failure): boolean {
  return task !== undefined && task.answer === undefined && failure.location === undefined;
}

function stateNamed(frame: Frame, name: string): State {
  const state = frame.states.States[name];
  if (!state) throw new Error(`there is no state '${name}'`);
  return state;
}

import { evaluateFieldIn } from '../context.ts';
import { StateError } from '../errors.ts';
import { TYPES } from '../jsonata.ts';
import type { WaitState } from '../language.ts';
import { commit, type Step, type Transition } from '../run.ts';
import { leave } from '../transition.ts';

/** RFC 3339 with T and Z in upper case, as the specification's section "Timestamps" requires. */
const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;

/** Waits until a point in time. A restart does not change this time. Specification, "Wait State". */
export async function wait(step: Step<WaitState>): Promise<Transition> {
  const { frame, state, visit } = step;
  if (visit.until === undefined) commit(frame, { kind: 'wait', until: await wakeTime(step) });
  await frame.run.services.clock.until(visit.until!, frame.signal);
  return leave(step, state, visit.input);
}

async function wakeTime(step: Step<WaitState>): Promise<number> {
  const { Seconds, Timestamp } = step.state;
  if (Timestamp === undefined) {
    const seconds = await evaluateFieldIn(step, TYPES.count, Seconds ?? 0, 'Seconds');
    return step.frame.run.services.clock.now() + seconds * 1000;
  }
  const text = await evaluateFieldIn(step, TYPES.string, Timestamp, 'Timestamp');
  const time = TIMESTAMP.test(text) ? Date.parse(text) : Number.NaN;
  if (!Number.isNaN(time)) return time;
  const cause = `The field 'Timestamp' must be an RFC 3339 timestamp, but was '${text}'`;
  throw new StateError({ error: 'States.QueryEvaluationError', cause, location: 'Timestamp' });
}

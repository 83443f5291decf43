/** Starts the work of a task, waits for its answer, and ends it at a time-out. Specification, "Task State". */
import { randomUUID } from 'node:crypto';
import { cancellation } from '../cancellation.ts';
import { evaluateFieldIn, evaluateIn } from '../context.ts';
import { runtimeError, StateError, withinDataLimit } from '../errors.ts';
import { TYPES } from '../jsonata.ts';
import type { Json, TaskState } from '../language.ts';
import { type Resource, resourceOf } from '../resources.ts';
import { attemptKey, type BeginsWith, commit, type Step, type Transition } from '../run.ts';
import { newToken } from '../tokens.ts';
import { leave } from '../transition.ts';
import { awaitCallback } from './callback.ts';
import { integratedInvoke, invokeFunction } from './lambda.ts';
import { startNested, startNestedAndWait } from './nested.ts';
import type { ScheduledTask, Work } from './work.ts';

export async function task(step: Step<TaskState>): Promise<Transition> {
  const { frame, state, visit } = step;
  const resource = resourceOf(state.Resource);
  if (!resource) throw runtimeError(`The resource '${state.Resource}' is not offered.`);
  if (!visit.task) await schedule(step, resource);
  const scheduled = visit.task as ScheduledTask;
  if (!scheduled.answer) {
    const output = await perform(step, scheduled, resource);
    // SendTaskSuccess has already recorded the answer to a task token.
    if (!scheduled.answer)
      commit(frame, {
        kind: 'succeed',
        output: withinDataLimit(output, `result of the task '${visit.state}'`),
      });
  }
  const result = scheduled.answer!.output;
  return leave(step, state, result, { result });
}

/** Records the request of the task, so that a repetition after a crash sends the same request. */
async function schedule(step: Step<TaskState>, { pattern }: Resource): Promise<void> {
  const { frame, state, visit } = step;
  const { Resource, Arguments, TimeoutSeconds, HeartbeatSeconds } = state;
  const token = pattern === 'callback' ? newToken(step, randomUUID()) : undefined;
  const extra = token === undefined ? {} : { token };
  const input = Arguments === undefined ? visit.input : await evaluateIn(step, Arguments, 'Arguments', extra);
  const timeoutSeconds = await secondsOf(step, TimeoutSeconds, 'TimeoutSeconds');
  const heartbeatSeconds = await secondsOf(step, HeartbeatSeconds, 'HeartbeatSeconds');
  const scheduled = {
    resource: Resource,
    arguments: withinDataLimit(input, `input of the task '${visit.state}'`),
    idempotencyKey: attemptKey(step),
    ...extra,
    ...(timeoutSeconds !== undefined && { timeoutSeconds }),
    ...(heartbeatSeconds !== undefined && { heartbeatSeconds }),
  };
  commit(frame, { kind: 'schedule', task: scheduled });
}

async function secondsOf(step: Step<TaskState>, field: number | string | undefined, location: string) {
  return field === undefined ? undefined : evaluateFieldIn(step, TYPES.positive, field, location);
}

async function perform(step: Step<TaskState>, scheduled: ScheduledTask, resource: Resource): Promise<Json> {
  const { frame } = step;
  // The request must be in the journal before it is sent, so that a repetition uses the same key and arguments.
  await frame.run.durable();
  const attempt = cancellation(frame.signal);
  let begun: Promise<unknown> = Promise.resolve();
  const beginsWith: BeginsWith = (place) => {
    begun = place;
  };
  try {
    return await Promise.race([
      workOf(resource)(step, scheduled, attempt.signal, beginsWith),
      // The work above has called `beginsWith` if its request must wait.
      timeout(step, scheduled, resource, begun, attempt.signal),
      heartbeatTimeout(step, scheduled, attempt.signal),
    ]);
  } finally {
    attempt.cancel();
    attempt.release();
  }
}

function workOf(resource: Resource): Work {
  if (resource.kind === 'function') {
    return (step, { arguments: payload, idempotencyKey }, signal, beginsWith) =>
      invokeFunction(step, resource.functionArn, payload, idempotencyKey, signal, beginsWith);
  }
  if (resource.kind === 'lambda') return resource.pattern === 'callback' ? awaitCallback : integratedInvoke;
  return resource.pattern === 'sync' ? startNestedAndWait : startNested;
}

/**
 * Implements TimeoutSeconds. A request that is repeated after a restart gets the whole time again, because its work begins again. A
 * request that waits for a token or a nested execution keeps its deadline. The wait for a free environment does not count, because
 * on AWS, Lambda never lets a request wait.
 */
async function timeout(
  { frame }: Step,
  { timeoutSeconds, scheduledAt }: ScheduledTask,
  { pattern }: Resource,
  begun: Promise<unknown>,
  signal: AbortSignal,
): Promise<never> {
  if (timeoutSeconds === undefined) return new Promise(() => {});
  const { clock } = frame.run.services;
  if (pattern === 'request') await begun;
  const startedAt = pattern === 'request' ? clock.now() : scheduledAt;
  await clock.until(startedAt + timeoutSeconds * 1000, signal);
  throw new StateError({ error: 'States.Timeout' });
}

/**
 * Implements HeartbeatSeconds, for tasks with a token. A restart counts as a heartbeat, because no heartbeat could arrive while the
 * server was stopped.
 */
async function heartbeatTimeout(
  { frame }: Step,
  { token, heartbeatSeconds }: ScheduledTask,
  signal: AbortSignal,
): Promise<never> {
  if (heartbeatSeconds === undefined || token === undefined) return new Promise(() => {});
  const { heartbeats, services } = frame.run;
  heartbeats.set(token, services.clock.now());
  try {
    for (;;) {
      const last = heartbeats.get(token)!;
      await services.clock.until(last + heartbeatSeconds * 1000, signal);
      // Recorded on AWS: a missed heartbeat is reported as States.Timeout.
      if (heartbeats.get(token) === last) throw new StateError({ error: 'States.Timeout', heartbeat: true });
    }
  } finally {
    heartbeats.delete(token);
  }
}

import { functionArn } from '../arns.ts';
import { cancellation, unlessCancelled } from '../cancellation.ts';
import { StateError } from '../errors.ts';
import type { Json, TaskState } from '../language.ts';
import { commit, type Step } from '../run.ts';
import { invocationOf, invokeFunction } from './lambda.ts';
import type { ScheduledTask, Work } from './work.ts';

/**
 * Implements `lambda:invoke.waitForTaskToken`: invokes the function once, and then waits for the answer to its token, even after
 * restarts. Developer guide, "Wait for a Callback with Task Token".
 */
export const awaitCallback: Work = (step, task, signal) => {
  const answered = unlessCancelled(answer(step, task), signal);
  if (task.submitted) return answered;
  return Promise.race([answered, submit(step, task, signal)]);
};

/** Resolves when an answer to the token has been committed. */
function answer({ frame, visit }: Step, { token = '' }: ScheduledTask): Promise<Json> {
  const { answers } = frame.run;
  return new Promise<Json>((resolve, reject) => {
    const look = (): void => {
      if (visit.failure) reject(new StateError(visit.failure));
      else if (visit.task?.answer) resolve(visit.task.answer.output);
    };
    answers.set(token, look);
    look();
  }).finally(() => answers.delete(token));
}

/** Invokes the function. Rejects if the function fails, else never settles. The function continues even if the answer to the token comes first. */
async function submit(step: Step<TaskState>, task: ScheduledTask, signal: AbortSignal): Promise<never> {
  const { functionName, payload } = invocationOf(task.arguments);
  const arn = functionArn(functionName, step.frame.run.progress.begin.machineArn);
  const invocation = cancellation(step.frame.signal);
  try {
    const reply = await invokeFunction(step, arn, payload, task.idempotencyKey, invocation.signal);
    const isAwaited = !signal.aborted && !task.answer;
    const output = { ExecutedVersion: '$LATEST', Payload: reply, StatusCode: 200 };
    if (isAwaited) commit(step.frame, { kind: 'submit', output });
  } finally {
    invocation.release();
  }
  return new Promise(() => {});
}

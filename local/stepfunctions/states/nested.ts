/** Starts executions as tasks. Developer guide, "Start a new AWS Step Functions state machine from a running execution". */
import { createHash } from 'node:crypto';
import { AccessDenied } from '../../iam/authorizer.ts';
import { unlessCancelled } from '../cancellation.ts';
import { runtimeError, ServiceError, StateError } from '../errors.ts';
import type { Json, JsonObject } from '../language.ts';
import type { Description } from '../run.ts';
import { commit } from '../run.ts';
import type { Work } from './work.ts';

/** Implements `startExecution`: starts an execution, and returns its ARN without waiting for its end. */
export const startNested: Work = async (step, task) => {
  const { StateMachineArn, Input = {}, Name } = (task.arguments ?? {}) as JsonObject;
  if (typeof StateMachineArn !== 'string')
    throw runtimeError("The Arguments of startExecution must have a 'StateMachineArn'.");
  // The name is derived from the attempt. So a repetition after a crash finds the execution that was already started.
  const name =
    typeof Name === 'string'
      ? Name
      : createHash('sha256').update(task.idempotencyKey).digest('hex').slice(0, 36);
  const input = typeof Input === 'string' ? Input : JSON.stringify(Input);
  const { nested, permit } = step.frame.run.services;
  const request = { machineArn: StateMachineArn, name, input, startedBy: task.idempotencyKey };
  const start = async () => {
    permit?.(step.frame.run.progress.begin.machineArn, 'states:StartExecution', StateMachineArn);
    return nested.start(request);
  };
  const { arn, startedAt } = await start().catch((error: unknown) => {
    if (error instanceof AccessDenied)
      throw new StateError({ error: 'StepFunctions.AccessDeniedException', cause: error.message });
    if (!(error instanceof ServiceError)) throw error;
    throw new StateError({ error: `StepFunctions.${error.type}Exception`, cause: error.message });
  });
  return { ExecutionArn: arn, StartDate: startedAt };
};

/** Implements `startExecution.sync:2`: returns the description of the execution after its end, with input and output as JSON. */
export const startNestedAndWait: Work = async (step, task, signal, beginsWith) => {
  const { nested } = step.frame.run.services;
  const started = (await startNested(step, task, signal, beginsWith)) as JsonObject;
  const arn = started.ExecutionArn as string;
  if (!task.submitted) commit(step.frame, { kind: 'submit', output: started });
  const description = await unlessCancelled(nested.ended(arn), signal).catch(async (error: unknown) => {
    if (step.frame.run.isClosing()) throw error;
    await nested.stop(arn, { cause: 'The task that waited for this execution was given up.' });
    throw error;
  });
  if (description.status === 'SUCCEEDED') return described(description);
  throw new StateError({ error: 'States.TaskFailed', cause: JSON.stringify(described(description)) });
};

function described(description: Description): Json {
  const { arn, name, machineArn, status, startedAt, stoppedAt, input, output, error, cause } = description;
  return {
    ExecutionArn: arn,
    Input: JSON.parse(input),
    InputDetails: { Included: true },
    Name: name,
    ...(output !== undefined && { Output: JSON.parse(output), OutputDetails: { Included: true } }),
    ...(error !== undefined && { Error: error }),
    ...(cause !== undefined && { Cause: cause }),
    StartDate: startedAt,
    StateMachineArn: machineArn,
    Status: status,
    ...(stoppedAt !== undefined && { StopDate: stoppedAt }),
  };
}

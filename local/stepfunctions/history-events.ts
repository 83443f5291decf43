/** The contents of history events, in the format of the service. API reference, HistoryEvent. */
import { roleArn } from './arns.ts';
import type { Failure } from './errors.ts';
import type { Json, StateType } from './language.ts';
import type { Begin, JournalRecord, ScheduledTask } from './records.ts';
import { integrationNames, resourceOf } from './resources.ts';

/** An event without id and time: its type, and its details in a member that the service names by the type. */
export type EventBody = { type: string } & Record<string, unknown>;

const complete = { truncated: false };

export function executionStarted(begin: Begin): EventBody {
  return {
    type: 'ExecutionStarted',
    executionStartedEventDetails: {
      input: begin.input,
      inputDetails: complete,
      roleArn: roleArn(begin.machineArn),
    },
  };
}

export function executionEnded({
  status,
  output,
  failure,
}: Extract<JournalRecord, { kind: 'finish' }>): EventBody {
  const details = errorDetails(failure ?? {});
  switch (status) {
    case 'SUCCEEDED':
      return { type: 'ExecutionSucceeded', executionSucceededEventDetails: outputDetails(output ?? null) };
    case 'TIMED_OUT':
      return { type: 'ExecutionTimedOut', executionTimedOutEventDetails: details };
    case 'ABORTED':
      return { type: 'ExecutionAborted', executionAbortedEventDetails: details };
    default:
      return { type: 'ExecutionFailed', executionFailedEventDetails: details };
  }
}

export function stateEntered({ state, type, input }: Extract<JournalRecord, { kind: 'enter' }>): EventBody {
  return {
    type: `${type}StateEntered`,
    stateEnteredEventDetails: { name: state, input: JSON.stringify(input), inputDetails: complete },
  };
}

export function stateExited(
  { output, assign }: Extract<JournalRecord, { kind: 'exit' }>,
  state: string,
  type: StateType,
): EventBody {
  const assigned = assign && {
    assignedVariables: Object.fromEntries(
      Object.entries(assign).map(([name, value]) => [name, JSON.stringify(value)]),
    ),
    assignedVariablesDetails: complete,
  };
  return {
    type: `${type}StateExited`,
    stateExitedEventDetails: { name: state, ...outputDetails(output), ...assigned },
  };
}

export function iteration(what: 'Started' | 'Succeeded' | 'Failed', name: string, index: number): EventBody {
  return { type: `MapIteration${what}`, [`mapIteration${what}EventDetails`]: { name, index } };
}

export function evaluationFailed(failure: Failure, state: string): EventBody {
  const details = { ...errorDetails(failure), location: failure.location, state };
  return { type: 'EvaluationFailed', evaluationFailedEventDetails: details };
}

/** Returns the events of a scheduled task: LambdaFunction… if the resource is a function, Task… for an integration. */
export function taskScheduled(task: ScheduledTask, region: string): EventBody[] {
  const limits = {
    ...(task.timeoutSeconds !== undefined && { timeoutInSeconds: task.timeoutSeconds }),
    ...(task.heartbeatSeconds !== undefined && { heartbeatInSeconds: task.heartbeatSeconds }),
  };
  const parameters = JSON.stringify(task.arguments);
  if (isFunction(task.resource)) {
    const details = { resource: task.resource, input: parameters, inputDetails: complete, ...limits };
    return [
      { type: 'LambdaFunctionScheduled', lambdaFunctionScheduledEventDetails: details },
      { type: 'LambdaFunctionStarted' },
    ];
  }
  const names = integrationNames(task.resource);
  return [
    { type: 'TaskScheduled', taskScheduledEventDetails: { ...names, region, parameters, ...limits } },
    { type: 'TaskStarted', taskStartedEventDetails: names },
  ];
}

/** Returns the event of an accepted request. Its result comes later, with the token or at the end of the nested execution. */
export function taskSubmitted(resource: string, output: Json): EventBody {
  const details = { ...integrationNames(resource), ...outputDetails(output) };
  return { type: 'TaskSubmitted', taskSubmittedEventDetails: details };
}

export function taskSucceeded(resource: string, output: Json): EventBody {
  const answer = outputDetails(output);
  if (isFunction(resource))
    return { type: 'LambdaFunctionSucceeded', lambdaFunctionSucceededEventDetails: answer };
  return { type: 'TaskSucceeded', taskSucceededEventDetails: { ...integrationNames(resource), ...answer } };
}

export function taskFailed(resource: string, failure: Failure): EventBody {
  const outcome = failure.error === 'States.Timeout' ? 'TimedOut' : 'Failed';
  const details = errorDetails(failure);
  if (isFunction(resource)) {
    return { type: `LambdaFunction${outcome}`, [`lambdaFunction${outcome}EventDetails`]: details };
  }
  return {
    type: `Task${outcome}`,
    [`task${outcome}EventDetails`]: { ...integrationNames(resource), ...details },
  };
}

export function errorDetails({ error, cause }: Failure): { error?: string; cause?: string } {
  return { ...(error !== undefined && { error }), ...(cause !== undefined && { cause }) };
}

function outputDetails(output: Json): Record<string, unknown> {
  return { output: JSON.stringify(output), outputDetails: complete };
}

function isFunction(resource: string): boolean {
  return resourceOf(resource)?.kind === 'function';
}

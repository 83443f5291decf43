/** Invokes Lambda functions. Developer guide, "Invoke an AWS Lambda function with Step Functions". */
import { functionArn } from '../arns.ts';
import { unlessCancelled } from '../cancellation.ts';
import { Cancelled, type Failure, runtimeError, StateError } from '../errors.ts';
import type { Json, JsonObject, TaskState } from '../language.ts';
import type { BeginsWith, Step } from '../run.ts';
import type { Work } from './work.ts';

/**
 * Returns the answer of a function. A failure is a StateError with the function's errorType, or with the error of the service.
 */
export async function invokeFunction(
  { frame }: Step<TaskState>,
  arn: string,
  payload: Json,
  idempotencyKey: string,
  signal: AbortSignal,
  beginsWith?: BeginsWith,
): Promise<Json> {
  const { invoke, permit } = frame.run.services;
  const call = async () => {
    permit?.(frame.run.progress.begin.machineArn, 'lambda:InvokeFunction', arn);
    return invoke(arn, payload, { idempotencyKey, signal, ...(beginsWith && { beginsWith }) });
  };
  const reply = await unlessCancelled(call(), signal).catch((error: unknown) => {
    throw error instanceof Cancelled ? error : new StateError(serviceFailure(error));
  });
  if ('payload' in reply) return (reply.payload ?? null) as Json;
  const { errorType, ...details } = reply.functionError;
  throw new StateError({
    error: errorType || 'Lambda.Unknown',
    cause: JSON.stringify({ errorType, ...details }),
  });
}

/** Implements `lambda:invoke`. The result has the form of the Invoke API's answer. */
export const integratedInvoke: Work = async (
  step,
  { arguments: input, idempotencyKey },
  signal,
  beginsWith,
) => {
  const { functionName, payload } = invocationOf(input);
  const arn = functionArn(functionName, step.frame.run.progress.begin.machineArn);
  const answer = await invokeFunction(step, arn, payload, idempotencyKey, signal, beginsWith);
  return { ExecutedVersion: '$LATEST', Payload: answer, StatusCode: 200 };
};

/** Returns FunctionName and Payload from the arguments of a task. */
export function invocationOf(input: Json): { functionName: string; payload: Json } {
  const { FunctionName: functionName, Payload: payload = {} } = (input ?? {}) as JsonObject;
  if (typeof functionName !== 'string')
    throw runtimeError("The Arguments of lambda:invoke must have a 'FunctionName'.");
  return { functionName, payload };
}

/** Exceptions of the Invoke API whose name becomes the name of the error. Developer guide, "Handle transient Lambda service exceptions". */
const serviceExceptions = [
  'ServiceException',
  'TooManyRequestsException',
  'ResourceNotFoundException',
  'ResourceNotReadyException',
  'RequestTooLargeException',
  'SdkClientException',
  'AWSLambdaException',
];

function serviceFailure(error: unknown): Failure {
  const { name, message } = error instanceof Error ? error : new Error(String(error));
  const bare = name.replace(/^Lambda\./, '');
  if (bare === 'AccessDeniedException') return { error: 'States.Permissions', cause: message };
  const known = serviceExceptions.includes(bare) ? bare : 'Unknown';
  return { error: `Lambda.${known}`, cause: message };
}

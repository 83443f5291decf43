/**
 * Determines the permission that a request to Step Functions needs. Service Authorization Reference, "Actions, resources, and
 * condition keys for AWS Step Functions".
 */
import type { Access } from '../iam/evaluate.ts';
import { addressOf } from './tokens.ts';

/** @param operation an operation of the API, such as `StartExecution` @param input its request */
export function permissionsOfStepFunctions(operation: string, input: object): Access[] {
  const { stateMachineArn, executionArn, taskToken } = input as Record<string, unknown>;
  const machineOfToken = typeof taskToken === 'string' ? machineOf(taskToken) : undefined;
  const resource = stateMachineArn ?? executionArn ?? machineOfToken ?? '*';
  return [{ action: `states:${operation}`, resource: String(resource), context: {} }];
}

/** Returns the machine of the execution that waits for a task token. */
function machineOf(token: string): string | undefined {
  const [, start, name] = /^(arn:.*):execution:([^:/]+)/.exec(addressOf(token)?.arn ?? '') ?? [];
  return start && `${start}:stateMachine:${name}`;
}

/**
 * Which permission a request to Step Functions needs. Service Authorization Reference, "Actions, resources, and condition keys for
 * AWS Step Functions".
 */
import type { Access } from '../iam/evaluate.ts';
import { addressOf } from './tokens.ts';

/** @param operation such as `StartExecution`; `input` is its request */
export function permissionsOfStepFunctions(operation: string, input: object): Access[] {
  const { stateMachineArn, executionArn, taskToken } = input as Record<string, unknown>;
  const machineOfToken = typeof taskToken === 'string' ? machineOf(taskToken) : undefined;
  const resource = stateMachineArn ?? executionArn ?? machineOfToken ?? '*';
  return [{ action: `states:${operation}`, resource: String(resource), context: {} }];
}

/** The machine of the execution that a task token belongs to. */
function machineOf(token: string): string | undefined {
  const [, start, name] = /^(arn:.*):execution:([^:/]+)/.exec(addressOf(token)?.arn ?? '') ?? [];
  return start && `${start}:stateMachine:${name}`;
}

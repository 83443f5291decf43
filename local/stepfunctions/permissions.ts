/**
 * Determines the permission that a request to Step Functions needs. Service Authorization Reference, "Actions, resources, and
 * condition keys for AWS Step Functions".
 */
import type { Access } from '../iam/evaluate.ts';
import { addressOf } from './tokens.ts';

/** @param operation an operation of the API, such as `StartExecution` @param input its request */
export function permissionsOfStepFunctions(operation: string, input: object): Access[] {
  const resource = resourceOf(operation, input as Record<string, unknown>) ?? '*';
  return [{ action: `states:${operation}`, resource: String(resource), context: {} }];
}

/** Returns the resource of a request. Only the members of the operation count, because it ignores all others. */
function resourceOf(operation: string, input: Record<string, unknown>): unknown {
  switch (operation) {
    case 'StartExecution':
    case 'ListExecutions':
    case 'DescribeStateMachine':
      return input.stateMachineArn;
    case 'DescribeExecution':
    case 'StopExecution':
    case 'GetExecutionHistory':
      return input.executionArn;
    case 'SendTaskSuccess':
    case 'SendTaskFailure':
    case 'SendTaskHeartbeat':
      return typeof input.taskToken === 'string' ? machineOf(input.taskToken) : undefined;
    default:
      return undefined;
  }
}

/** Returns the machine of the execution that waits for a task token. */
function machineOf(token: string): string | undefined {
  const [, start, name] = /^(arn:.*):execution:([^:/]+)/.exec(addressOf(token)?.arn ?? '') ?? [];
  return start && `${start}:stateMachine:${name}`;
}

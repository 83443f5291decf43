/** The log groups of the functions of a stack. */
import type { Stack } from 'aws-cdk-lib';
import type { CfnLogGroup } from 'aws-cdk-lib/aws-logs';
import { KinoraFunction } from '../shared/function.ts';

/** Names are plain text. A reference from another stack would need an output for each function. */
export function logGroupsOf(stack: Stack): string[] {
  const functions = stack.node.findAll().filter((construct) => construct instanceof KinoraFunction);
  return functions.map(logGroupOf);
}

export const logGroupOf = ({ logGroup }: KinoraFunction): string =>
  (logGroup.node.defaultChild as CfnLogGroup).logGroupName!;

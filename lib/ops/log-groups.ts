/** The logs of functions, by stack. */
import type { Stack } from 'aws-cdk-lib';
import type { CfnLogGroup } from 'aws-cdk-lib/aws-logs';
import { KinoraFunction } from '../shared/function.ts';

/** Names are plain text, because in another stack a reference would be an output a function. */
export function logGroupsOf(stack: Stack): string[] {
  const functions = stack.node.findAll().filter((construct) => construct instanceof KinoraFunction);
  return functions.map(logGroupOf);
}

export const logGroupOf = ({ logGroup }: KinoraFunction): string =>
  (logGroup.node.defaultChild as CfnLogGroup).logGroupName!;

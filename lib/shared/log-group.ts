/** Log groups with the retention of their environment. They are deleted with their stack. */
import { RemovalPolicy } from 'aws-cdk-lib';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import type { Environment } from '../environments.ts';
import { stableId } from './names.ts';

export function logGroup(
  scope: Construct,
  id: string,
  logGroupName: string,
  { logRetention: retention }: Environment,
): LogGroup {
  const group = new LogGroup(scope, id, { logGroupName, retention, removalPolicy: RemovalPolicy.DESTROY });
  return stableId(group, id);
}

/**
 * Reads a weak reference to another stack once for each template. Each Fn::GetStackOutput calls DescribeStacks, which
 * CloudFormation throttles (https://github.com/aws/aws-cdk/issues/38010); the functions of the API would make 63 calls.
 * A standard parameter of Parameter Store costs nothing and holds 4 KB. Fn::GetAtt returns its value, so its users
 * change with it (CloudFormation Template Reference, "AWS::SSM::Parameter", and
 * docs/decisions/0068-deployment-changes.md).
 */
import { Token } from 'aws-cdk-lib';
import { CfnParameter } from 'aws-cdk-lib/aws-ssm';
import type { Construct } from 'constructs';
import { stableId } from './logical-id.ts';

/**
 * @param value not a secret, because parameters are readable. A value that is known at synthesis is returned unchanged.
 */
export function readOnce(scope: Construct, id: string, description: string, value: string): string {
  if (!Token.isUnresolved(value)) return value;
  return stableId(new CfnParameter(scope, id, { type: 'String', description, value }), id).attrValue;
}

/**
 * A value of another stack that is referred to weakly, read once for all of a template. Each occurrence of Fn::GetStackOutput is
 * a call of DescribeStacks, and CloudFormation throttles its own (https://github.com/aws/aws-cdk/issues/38010): the functions of the
 * API would bring 63. A standard parameter of Parameter Store costs nothing, takes 4 KB, and gives its value back by Fn::GetAtt, so that what
 * refers to it changes with it (CloudFormation Template Reference, "AWS::SSM::Parameter", and docs/decisions/0068-deployment-changes.md).
 */
import { Token } from 'aws-cdk-lib';
import { CfnParameter } from 'aws-cdk-lib/aws-ssm';
import type { Construct } from 'constructs';
import { stableId } from './logical-id.ts';

/** @param value no secret: parameters are for whoever may read them. What synthesis knows already is handed back as it is. */
export function readOnce(scope: Construct, id: string, description: string, value: string): string {
  if (!Token.isUnresolved(value)) return value;
  return stableId(new CfnParameter(scope, id, { type: 'String', description, value }), id).attrValue;
}

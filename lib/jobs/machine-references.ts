/**
 * Variables and permissions of functions that use state machines of the same stack. They refer to machines by stable
 * logical id, because machines are constructed after the functions of their steps.
 */
import { type Acknowledgment, Aws, Fn } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { kebabCase } from '../shared/case.ts';

/** Logical id of a machine, by name of its definition. */
export const machineId = (definition: string) => `${definition}Machine`;

/** `DeleteAsset` → `DELETE_ASSET_MACHINE_ARN`. */
export function machineVariable(definition: string): string {
  return `${kebabCase(definition).replaceAll('-', '_').toUpperCase()}_MACHINE_ARN`;
}

const executions = (partition: string, region: string, account: string, machine: string) =>
  `arn:${partition}:states:${region}:${account}:execution:${machine}:*`;

/** Allows describing executions of a machine of the same stack. */
export function watching(definition: string): PolicyStatement {
  const name = Fn.getAtt(machineId(definition), 'Name').toString();
  return new PolicyStatement({
    actions: ['states:DescribeExecution'],
    resources: [executions(Aws.PARTITION, Aws.REGION, Aws.ACCOUNT_ID, name)],
  });
}

/** Allows starting executions of a machine of the same stack. */
export const starting = (definition: string): PolicyStatement =>
  new PolicyStatement({
    actions: ['states:StartExecution'],
    resources: [Fn.ref(machineId(definition))],
  });

export function executionsWildcard(definition: string): Acknowledgment {
  const arn = executions(
    '<AWS::Partition>',
    '<AWS::Region>',
    '<AWS::AccountId>',
    `<${machineId(definition)}.Name>`,
  );
  return {
    id: `AwsSolutions-IAM5[Resource::${arn}]`,
    reason: 'Executions are named after jobs, at run time; the wildcard keeps to those of one machine.',
  };
}

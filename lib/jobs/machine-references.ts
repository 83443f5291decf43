/**
 * What functions are told of state machines, and what they may do with them. Machines of the same stack are
 * named by their stable logical ids: their constructs come after those of the steps that they invoke.
 */
import { type Acknowledgment, Aws, Fn } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { kebabCase } from '../shared/case.ts';

/** Logical id of the machine of a definition. */
export const machineId = (definition: string) => `${definition}Machine`;

/** `DeleteAsset` → `DELETE_ASSET_MACHINE_ARN`. */
export function machineVariable(definition: string): string {
  return `${kebabCase(definition).replaceAll('-', '_').toUpperCase()}_MACHINE_ARN`;
}

const executions = (partition: string, region: string, account: string, machine: string) =>
  `arn:${partition}:states:${region}:${account}:execution:${machine}:*`;

/** Reading what became of executions of a machine of the same stack. */
export function watching(definition: string): PolicyStatement {
  const name = Fn.getAtt(machineId(definition), 'Name').toString();
  return new PolicyStatement({
    actions: ['states:DescribeExecution'],
    resources: [executions(Aws.PARTITION, Aws.REGION, Aws.ACCOUNT_ID, name)],
  });
}

/** Starting executions of a machine of the same stack. */
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

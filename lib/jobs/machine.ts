/** One Standard state machine from its file, with its role and its error log. */
import { type Acknowledgment, Aws, Fn, Stack, Validations } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { DefinitionBody, LogLevel, StateMachine, StateMachineType } from 'aws-cdk-lib/aws-stepfunctions';
import type { Construct } from 'constructs';
import type { Environment } from '../environments.ts';
import { logGroup } from '../shared/log-group.ts';
import { kebabCase, stableId } from '../shared/names.ts';
import type { Definition } from './definitions.ts';
import { fitted } from './provider-pools.ts';

/** @param functions the functions by logical id. The machine may invoke only those that its definition names. */
export function machine(
  scope: Construct,
  environment: Environment,
  definition: Definition,
  functions: Readonly<Record<string, IFunction>>,
): StateMachine {
  const id = machineId(definition.name);
  const arns = Object.fromEntries(definition.steps.map((step) => [step, functions[step]!.functionArn]));
  const made = new StateMachine(scope, id, {
    stateMachineType: StateMachineType.STANDARD,
    definitionBody: DefinitionBody.fromString(fittedBody(Stack.of(scope).partition, environment, definition)),
    definitionSubstitutions: arns,
    tracingEnabled: true,
    // The log contains no inputs and outputs, because these may quote the media of a tenant.
    logs: {
      // Log groups with another prefix would need a resource policy, and a region allows only ten policies.
      destination: logGroup(
        scope,
        `${id}Logs`,
        `/aws/vendedlogs/states/kinora-${environment.name}-${id}`,
        environment,
      ),
      level: LogLevel.ERROR,
      includeExecutionData: false,
    },
  });
  made.addToRolePolicy(
    new PolicyStatement({ actions: ['lambda:InvokeFunction'], resources: Object.values(arns) }),
  );
  acknowledge(made);
  stableId(made.role, `${id}Role`);
  return stableId(made, id);
}

/** Returns the definition with widths for the environment, and with the environment's partition instead of `aws`. */
const fittedBody = (partition: string, environment: Environment, { body, steps }: Definition): string =>
  JSON.stringify(fitted(JSON.parse(body), steps, environment)).replaceAll(
    /arn:aws(?=:states:)/g,
    `arn:${partition}`,
  );

function acknowledge(made: StateMachine): void {
  Validations.of(made).acknowledge(
    {
      id: 'AwsSolutions-SF1',
      reason: 'The execution history keeps every event for 90 days; the log repeats the errors only.',
    },
    {
      id: 'AwsSolutions-IAM5[Resource::*]',
      reason: 'Log delivery and X-Ray have no resources that a policy could name.',
    },
  );
}

/**
 * Returns the logical id of a machine from the name of its definition. Functions of the same stack use this id to refer to
 * machines, because machines are constructed after the functions of their steps.
 */
export const machineId = (definition: string) => `${definition}Machine`;

/** `DeleteAsset` → `DELETE_ASSET_MACHINE_ARN`. */
export function machineVariable(definition: string): string {
  return `${kebabCase(definition).replaceAll('-', '_').toUpperCase()}_MACHINE_ARN`;
}

const executions = (partition: string, region: string, account: string, machine: string) =>
  `arn:${partition}:states:${region}:${account}:execution:${machine}:*`;

export function watching(definition: string): PolicyStatement {
  const name = Fn.getAtt(machineId(definition), 'Name').toString();
  return new PolicyStatement({
    actions: ['states:DescribeExecution'],
    resources: [executions(Aws.PARTITION, Aws.REGION, Aws.ACCOUNT_ID, name)],
  });
}

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

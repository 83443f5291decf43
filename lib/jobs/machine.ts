/** One Standard state machine from its file, with its role and its error log. */
import { RemovalPolicy, Stack, Validations } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { DefinitionBody, LogLevel, StateMachine, StateMachineType } from 'aws-cdk-lib/aws-stepfunctions';
import type { Construct } from 'constructs';
import type { Environment } from '../environments.ts';
import { stableId } from '../shared/logical-id.ts';
import type { Definition } from './definitions.ts';
import { machineId } from './machine-references.ts';
import { fitted } from './provider-pools.ts';

/** @param functions by logical id. The machine may invoke only those that its definition names. */
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
    // Inputs and outputs may quote a tenant's media, so the log leaves them out.
    logs: {
      destination: logGroup(scope, environment, id),
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

/** The files name resources of the partition `aws`; an environment may be in another. */
const fittedBody = (partition: string, environment: Environment, { body, steps }: Definition): string =>
  JSON.stringify(fitted(JSON.parse(body), steps, environment)).replaceAll(
    /arn:aws(?=:states:)/g,
    `arn:${partition}`,
  );

/** Only groups with this prefix need no resource policy, and a region allows ten policies. */
function logGroup(scope: Construct, environment: Environment, id: string): LogGroup {
  const group = new LogGroup(scope, `${id}Logs`, {
    logGroupName: `/aws/vendedlogs/states/kinora-${environment.name}-${id}`,
    retention: environment.logRetention,
    removalPolicy: RemovalPolicy.DESTROY,
  });
  return stableId(group, `${id}Logs`);
}

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

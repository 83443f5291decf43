/** Reads the resources of a synthesized cloud assembly, and converts them to options of the local services. */
import type { IamView } from '../iam/authorizer.ts';
import { readAssembly, type Stack } from './assembly.ts';
import {
  type Api,
  type EventRuleView,
  type FunctionView,
  readApi,
  readEventRule,
  readFunction,
  readSchedule,
  readStateMachine,
  type ScheduleView,
  type StateMachineView,
} from './compute.ts';
import { readIam } from './iam.ts';
import { createResolver } from './intrinsics.ts';
import type { Locality } from './names.ts';
import { type Present, presentResources, type Resolved, resolved } from './resolved.ts';
import { type BucketView, readBucket, readTable, type TableView } from './storage.ts';

export type LocalTemplate = {
  tables: TableView[];
  buckets: BucketView[];
  functions: FunctionView[];
  api: Api;
  stateMachines: StateMachineView[];
  schedules: ScheduleView[];
  eventRules: EventRuleView[];
  /** Roles of the functions, state machines and schedules, and policies of the buckets. */
  iam: IamView;
  /** The merged Metadata sections of all stacks. */
  metadata: Record<string, unknown>;
  /** Resources that the local cloud does not run and should report. */
  unserved: { stack: string; logicalId: string; type: string }[];
};

/**
 * Reads the stacks in `directory` (a `cdk.out`) whose name starts with `prefix`. Throws `UnresolvableIntrinsic` with the place if a
 * needed property has no local value.
 */
export async function readTemplate(directory: string, prefix: string, at: Locality): Promise<LocalTemplate> {
  const stacks = await readAssembly(directory, prefix);
  const { resolve, exists } = createResolver(stacks, at);
  const all = stacks.flatMap((stack) => presentResources(stack, exists));
  const read = <View>(types: string[], view: (resource: Resolved) => View): View[] =>
    all
      .filter(({ resource }) => types.includes(resource.Type))
      .map((present) => view(resolved(present, resolve, at)));

  const ofDeployments = all
    .filter(({ resource }) => resource.Type.startsWith('Custom::'))
    .map(({ resource, stack, logicalId }) => resolve(resource.Properties?.ServiceToken, stack, logicalId));
  const functions = read(['AWS::Lambda::Function'], readFunction)
    .filter((view) => view !== undefined)
    .filter(({ arn }) => !ofDeployments.includes(arn));
  const stateMachines = read(['AWS::StepFunctions::StateMachine'], readStateMachine);
  const schedules = read(['AWS::Scheduler::Schedule', 'AWS::Events::Rule'], readSchedule).filter(
    (view) => view !== undefined,
  );
  // Other roles, such as those of deployments, are not used here. Their properties may have no local value.
  const usedRoles = new Set([...functions, ...stateMachines, ...schedules].map(({ roleArn }) => roleArn));
  const isUsed = ({ stack, logicalId }: Present) =>
    usedRoles.has(String(resolve({ 'Fn::GetAtt': [logicalId, 'Arn'] }, stack, logicalId)));
  const roles = all
    .filter(({ resource }) => resource.Type === 'AWS::IAM::Role')
    .filter(isUsed)
    .map((present) => resolved(present, resolve, at));
  const roleNames = roles.map(({ ref }) => ref);
  const policies = all
    .filter(({ resource }) => resource.Type === 'AWS::IAM::Policy')
    .filter(({ resource, stack, logicalId }) =>
      (resolve(resource.Properties?.Roles ?? [], stack, logicalId) as string[]).some((name) =>
        roleNames.includes(name),
      ),
    )
    .map((present) => resolved(present, resolve, at));
  return {
    tables: read(['AWS::DynamoDB::Table', 'AWS::DynamoDB::GlobalTable'], readTable),
    buckets: read(['AWS::S3::Bucket'], readBucket),
    functions,
    api: readApi(
      read(['AWS::ApiGatewayV2::Route'], (route) => route),
      read(['AWS::ApiGatewayV2::Integration'], (integration) => integration),
      read(['AWS::ApiGatewayV2::Api'], (api) => api),
    ),
    stateMachines,
    schedules,
    iam: readIam(
      {
        roles,
        policies,
        managedPolicies: read(['AWS::IAM::ManagedPolicy'], (policy) => policy),
        buckets: read(['AWS::S3::Bucket'], (bucket) => bucket),
        bucketPolicies: read(['AWS::S3::BucketPolicy'], (policy) => policy),
      },
      at.account,
    ),
    eventRules: read(['AWS::Events::Rule'], readEventRule).filter((view) => view !== undefined),
    metadata: Object.assign({}, ...stacks.map(({ template }) => template.Metadata)),
    unserved: all
      .filter(({ resource }) => !served.some((pattern) => pattern.test(resource.Type)))
      .filter(({ stack, logicalId }) => !deadLettersOf(stack).includes(logicalId))
      .map(({ stack, logicalId, resource }) => ({ stack: stack.name, logicalId, type: resource.Type })),
  };
}

/** Returns the dead-letter queues of rules. The product never reads them, so they need no local queue. */
function deadLettersOf({ template }: Stack): string[] {
  const rules = Object.values(template.Resources ?? {}).filter(({ Type }) => Type === 'AWS::Events::Rule');
  return rules
    .flatMap(({ Properties }) => (Properties?.Targets ?? []) as RuleTarget[])
    .flatMap(({ DeadLetterConfig }) => DeadLetterConfig?.Arn?.['Fn::GetAtt']?.[0] ?? []);
}

type RuleTarget = { DeadLetterConfig?: { Arn?: { 'Fn::GetAtt'?: string[] } } };

/**
 * The types that are not reported: those that are read above, and those that the local cloud does not need (keys, logs, alarms,
 * image builds, resources of the CDK itself).
 */
const served = [
  /^AWS::DynamoDB::(Table|GlobalTable)$/,
  /^AWS::S3::(Bucket|BucketPolicy)$/,
  /^AWS::Lambda::(Function|Permission|Version|Alias|EventInvokeConfig)$/,
  /^AWS::ApiGatewayV2::(Api|Stage|Route|Integration|Deployment|DomainName|ApiMapping)$/,
  /^AWS::StepFunctions::(StateMachine|StateMachineAlias|StateMachineVersion)$/,
  /^AWS::Scheduler::(Schedule|ScheduleGroup)$/,
  /^AWS::Events::Rule$/,
  /^AWS::SQS::QueuePolicy$/,
  /^AWS::(IAM|KMS|Logs|CloudWatch|SNS|Synthetics|Budgets|XRay|ECR|CodeBuild|Route53)::/,
  /^AWS::CDK::Metadata$/,
  /^Custom::(S3AutoDeleteObjects|LogRetention|CDKContainerImageBuild)$/,
];

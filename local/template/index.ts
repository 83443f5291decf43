/** What a synthesized cloud assembly asks for, as the parts of the local cloud need to hear it. */
import { readAssembly, type Stack } from './assembly.ts';
import {
  type Api,
  type FunctionView,
  readApi,
  readFunction,
  readSchedule,
  readStateMachine,
  type ScheduleView,
  type StateMachineView,
} from './compute.ts';
import { createResolver } from './intrinsics.ts';
import type { Locality } from './names.ts';
import { presentResources, type Resolved, resolved } from './resolved.ts';
import { type BucketView, readBucket, readTable, type TableView } from './storage.ts';

/** Environment variables by name, with the program to look for where the value is the path of one. */
export type LocalSettings = Record<string, { program?: string }>;

export type LocalTemplate = {
  tables: TableView[];
  buckets: BucketView[];
  functions: FunctionView[];
  api: Api;
  stateMachines: StateMachineView[];
  schedules: ScheduleView[];
  /** Environment variables that this machine and its user may give the functions. */
  localSettings: LocalSettings;
  /** Resources that the local cloud neither runs nor can do without a word about. */
  unserved: { stack: string; logicalId: string; type: string }[];
};

/**
 * Reads `directory` (a `cdk.out`), stacks whose name starts with `prefix`.
 * Throws `UnresolvableIntrinsic` naming the place when a property that is needed has no local value.
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
  return {
    tables: read(['AWS::DynamoDB::Table', 'AWS::DynamoDB::GlobalTable'], readTable),
    buckets: read(['AWS::S3::Bucket'], readBucket),
    functions,
    api: readApi(
      read(['AWS::ApiGatewayV2::Route'], (route) => route),
      read(['AWS::ApiGatewayV2::Integration'], (integration) => integration),
      read(['AWS::ApiGatewayV2::Api'], (api) => api),
    ),
    stateMachines: read(['AWS::StepFunctions::StateMachine'], readStateMachine),
    schedules: read(['AWS::Scheduler::Schedule', 'AWS::Events::Rule'], readSchedule).filter(
      (view) => view !== undefined,
    ),
    localSettings: Object.assign({}, ...stacks.map(localSettingsOf)) as LocalSettings,
    unserved: all
      .filter(({ resource }) => !served.some((pattern) => pattern.test(resource.Type)))
      .map(({ stack, logicalId, resource }) => ({ stack: stack.name, logicalId, type: resource.Type })),
  };
}

const localSettingsOf = ({ template }: Stack) => template.Metadata?.['kinora:local-settings'] ?? {};

/** What is read above, and what has no part in serving: permissions, keys, logs, alarms, the building of images, CDK's own. */
const served = [
  /^AWS::DynamoDB::(Table|GlobalTable)$/,
  /^AWS::S3::(Bucket|BucketPolicy)$/,
  /^AWS::Lambda::(Function|Permission|Version|Alias|EventInvokeConfig)$/,
  /^AWS::ApiGatewayV2::(Api|Stage|Route|Integration|Deployment|DomainName|ApiMapping)$/,
  /^AWS::StepFunctions::(StateMachine|StateMachineAlias|StateMachineVersion)$/,
  /^AWS::Scheduler::(Schedule|ScheduleGroup)$/,
  /^AWS::Events::Rule$/,
  /^AWS::(IAM|KMS|Logs|CloudWatch|SNS|Synthetics|Budgets|XRay|ECR|CodeBuild|Route53)::/,
  /^AWS::CDK::Metadata$/,
  /^Custom::(S3AutoDeleteObjects|LogRetention|CDKContainerImageBuild)$/,
];

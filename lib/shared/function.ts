/** A function of Kinora: its bundle, a role and a log group of its own. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Acknowledgment, Duration, RemovalPolicy, type Size, Validations } from 'aws-cdk-lib';
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import {
  Architecture,
  type CfnFunction,
  Code,
  Handler,
  Function as LambdaFunction,
  Runtime,
} from 'aws-cdk-lib/aws-lambda';
import { FilterPattern, LogGroup, MetricFilter } from 'aws-cdk-lib/aws-logs';
import type { Asset } from 'aws-cdk-lib/aws-s3-assets';
import { Construct } from 'constructs';
import type { Permissions } from '../../platform/steps/permissions.ts';
import type { Environment } from '../environments.ts';
import { capacityOf } from '../jobs/capacity.ts';
import { providerLinesOf } from '../jobs/provider-lines.ts';
import { choiceVariables, engineVariables } from './engines.ts';
import { inLane } from './filter-lanes.ts';
import { stableId } from './logical-id.ts';
import { namespaceOf } from './metrics.ts';
import { type Resources, statementsOf, wildcardsOf } from './permissions.ts';

const bundles = join(import.meta.dirname, '..', '..', 'build', 'lambdas');

/** A container image that holds the bundles of several functions. */
export interface FunctionImage {
  /** The image, told which function it is. */
  codeOf(id: string): Code;
  /** What it is built from; the local cloud finds the bundles in there. */
  readonly source: Asset;
}

export interface KinoraFunctionProps {
  readonly environment: Environment;
  readonly description: string;
  /** MB. */
  readonly memory: number;
  /** Seconds. */
  readonly timeout: number;
  readonly permissions: Permissions;
  readonly resources: Resources;
  /** Statements on what this stack alone knows, such as the machines that a function starts. */
  readonly statements?: readonly PolicyStatement[];
  /** Why wildcards in those statements cannot be narrower. */
  readonly acknowledgments?: readonly Acknowledgment[];
  /** Variables beyond those that every function has. */
  readonly variables?: Readonly<Record<string, string>>;
  /** Where it runs, on arm64; its own bundle on Lambda's Node 24 when absent. */
  readonly image?: FunctionImage;
  readonly ephemeralStorage?: Size;
}

/** The construct's id is the function's logical id, its bundle's folder and the stem of what belongs to it. */
export class KinoraFunction extends LambdaFunction {
  constructor(scope: Construct, id: string, props: KinoraFunctionProps) {
    const { environment } = props;
    const parts = new Construct(scope, `${id}Parts`);
    const logGroup = logGroupOf(parts, id, environment);
    super(scope, id, {
      description: props.description,
      ...packageOf(id, props),
      memorySize: fitting(id, props.memory, environment),
      timeout: Duration.seconds(props.timeout),
      environment: { ...variablesOf(props), ...props.variables },
      role: roleOf(parts, id, logGroup, props),
      logGroup,
      ...(props.ephemeralStorage && { ephemeralStorageSize: props.ephemeralStorage }),
    });
    stableId(this, id);
    const made = this.node.defaultChild as CfnFunction;
    // Through the L2 property, every function's permission for it would be a policy resource of its own.
    made.tracingConfig = { mode: 'Active' };
    props.image?.source.addResourceMetadata(made, 'Code.ImageUri');
    countUnexpected(id, logGroup, environment);
  }
}

/** @throws Error where the account's quota is lower, before a deployment finds it out halfway */
function fitting(id: string, memory: number, { name, quotas: { lambdaMemory } }: Environment): number {
  if (memory <= lambdaMemory) return memory;
  throw new Error(
    `${id} asks for ${memory} MB; environments/${name}.ts says that the account gives ${lambdaMemory} (quotas.lambdaMemory)`,
  );
}

function packageOf(id: string, { environment, image }: KinoraFunctionProps) {
  if (image) {
    // CodeBuild builds it for this processor, whatever the others run on.
    const architecture = Architecture.ARM_64;
    return { runtime: Runtime.FROM_IMAGE, handler: Handler.FROM_IMAGE, code: image.codeOf(id), architecture };
  }
  const { architecture } = environment;
  const code = Code.fromAsset(bundleFolder(id));
  return { runtime: Runtime.NODEJS_24_X, handler: 'index.handler', code, architecture };
}

function bundleFolder(id: string): string {
  const folder = join(bundles, id);
  if (existsSync(folder)) return folder;
  throw new Error(`There is no bundle of ${id}: \`npm run build\` makes build/lambdas/${id}`);
}

function logGroupOf(parts: Construct, id: string, { name, logRetention }: Environment): LogGroup {
  const group = new LogGroup(parts, 'Logs', {
    logGroupName: `/kinora/${name}/${id}`,
    retention: logRetention,
    removalPolicy: RemovalPolicy.DESTROY,
  });
  return stableId(group, `${id}Logs`);
}

function roleOf(parts: Construct, id: string, logGroup: LogGroup, props: KinoraFunctionProps): Role {
  const logging = new PolicyStatement({
    actions: ['logs:CreateLogStream', 'logs:PutLogEvents'],
    resources: [logGroup.logGroupArn],
  });
  const tracing = new PolicyStatement({
    actions: ['xray:PutTelemetryRecords', 'xray:PutTraceSegments'],
    resources: ['*'],
  });
  const statements = [
    logging,
    tracing,
    ...statementsOf(props.permissions, props.environment, props.resources),
    ...(props.statements ?? []),
  ];
  // One policy inside of the role rather than a resource beside it: a stack holds 500 resources.
  const role = new Role(parts, 'Role', {
    assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
    inlinePolicies: { Permissions: new PolicyDocument({ statements }) },
  });
  Validations.of(role).acknowledge(
    { id: 'AwsSolutions-IAM5[Resource::*]', reason: 'X-Ray has no resources that a policy could name.' },
    ...wildcardsOf(props.permissions, props.environment),
    ...(props.acknowledgments ?? []),
  );
  return stableId(role, `${id}Role`);
}

function variablesOf({ environment, resources, permissions }: KinoraFunctionProps): Record<string, string> {
  const capacity = capacityOf(environment);
  const lines = providerLinesOf(environment);
  return {
    ENVIRONMENT: environment.name,
    ...choiceVariables(environment),
    LOG_LEVEL: environment.logLevel,
    ...(capacity && { JOBS_AT_ONCE: String(capacity.jobsAtOnce) }),
    ...(lines && { PROVIDER_LINES: JSON.stringify(lines) }),
    CORE_TABLE: resources.tables.Core.tableName,
    AUTH_TABLE: resources.tables.Auth.tableName,
    EPHEMERAL_TABLE: resources.tables.Ephemeral.tableName,
    MEDIA_BUCKET: resources.media.bucketName,
    ...engineVariables(permissions.engines ?? {}, environment, resources),
  };
}

/** Counts what functions log as an error, of all functions of an environment; it has no dimensions. */
export const unexpectedErrors = (environment: Pick<Environment, 'name'>) => ({
  namespace: namespaceOf(environment),
  name: 'UnexpectedErrors',
});

/**
 * A function of the API throws only where it crashes or runs out of time, and a step refuses media by throwing, which
 * is its normal work: so what counts is what they log as an error, and what Lambda writes of their end.
 */
function countUnexpected(id: string, logGroup: LogGroup, environment: Environment): void {
  const { namespace, name } = unexpectedErrors(environment);
  const filter = new MetricFilter(logGroup, 'UnexpectedErrors', {
    logGroup,
    metricNamespace: namespace,
    metricName: name,
    filterPattern: FilterPattern.anyTerm(
      '"level":"error"',
      'Task timed out',
      'Runtime.ExitError',
      'Runtime.ImportModuleError',
    ),
  });
  inLane(stableId(filter, `${id}UnexpectedErrors`));
}

/** A function of Kinora: its bundle, its role and its log group. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Acknowledgment, Duration, type Size, Validations } from 'aws-cdk-lib';
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import {
  Architecture,
  type CfnFunction,
  Code,
  Handler,
  Function as LambdaFunction,
  Runtime,
} from 'aws-cdk-lib/aws-lambda';
import { FilterPattern, type LogGroup, MetricFilter } from 'aws-cdk-lib/aws-logs';
import type { Asset } from 'aws-cdk-lib/aws-s3-assets';
import { Construct } from 'constructs';
import type { Permissions } from '../../platform/steps/permissions.ts';
import type { Environment } from '../environments.ts';
import { capacityOf, providerPoolsOf } from '../jobs/provider-pools.ts';
import { choiceVariables, engineVariables } from './engines.ts';
import { inLane } from './lanes.ts';
import { logGroup } from './log-group.ts';
import { namespaceOf } from './metrics.ts';
import { stableId } from './names.ts';
import { type Resources, statementsOf, wildcardsOf } from './permissions.ts';

const bundles = join(import.meta.dirname, '..', '..', 'build', 'lambdas');

/** A container image that contains the bundles of several functions. */
export interface FunctionImage {
  codeOf(id: string): Code;
  /** The sources of the image, in which the local cloud finds the bundles. */
  readonly source: Asset;
}

export interface KinoraFunctionProps {
  readonly environment: Environment;
  readonly description: string;
  /** In MB. */
  readonly memory: number;
  /** In seconds. */
  readonly timeout: number;
  readonly permissions: Permissions;
  readonly resources: Resources;
  /** Statements about resources that only this stack knows, such as the machines that a function starts. */
  readonly statements?: readonly PolicyStatement[];
  /** Reasons for the wildcards in `statements`. */
  readonly acknowledgments?: readonly Acknowledgment[];
  /** Variables in addition to those that every function has. */
  readonly variables?: Readonly<Record<string, string>>;
  /** A container image for arm64. Default: the function runs its own bundle on Node 24. */
  readonly image?: FunctionImage;
  readonly ephemeralStorage?: Size;
}

/** A function. The id of the construct is also the logical id, the folder of its bundle, and the prefix of its other resources. */
export class KinoraFunction extends LambdaFunction {
  constructor(scope: Construct, id: string, props: KinoraFunctionProps) {
    const { environment } = props;
    const parts = new Construct(scope, `${id}Parts`);
    const logs = logGroup(parts, `${id}Logs`, `/kinora/${environment.name}/${id}`, environment);
    super(scope, id, {
      description: props.description,
      ...packageOf(id, props),
      memorySize: fitting(id, props.memory, environment),
      timeout: Duration.seconds(props.timeout),
      environment: { ...variablesOf(props), ...props.variables },
      role: roleOf(parts, id, logs, props),
      logGroup: logs,
      ...(props.ephemeralStorage && { ephemeralStorageSize: props.ephemeralStorage }),
    });
    stableId(this, id);
    const made = this.node.defaultChild as CfnFunction;
    // The L2 property would add a policy resource to each function.
    made.tracingConfig = { mode: 'Active' };
    props.image?.source.addResourceMetadata(made, 'Code.ImageUri');
    countUnexpected(id, logs, environment);
  }
}

/** @throws Error if the quota of the account is lower. Otherwise, a deployment would fail in the middle. */
function fitting(id: string, memory: number, { name, quotas: { lambdaMemory } }: Environment): number {
  if (memory <= lambdaMemory) return memory;
  throw new Error(
    `${id} asks for ${memory} MB; environments/${name}.ts says that the account gives ${lambdaMemory} (quotas.lambdaMemory)`,
  );
}

function packageOf(id: string, { environment, image }: KinoraFunctionProps) {
  if (image) {
    // CodeBuild always builds the image for this processor. Other functions may use another one.
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
  // An inline policy, because a policy resource for each function would exceed the 500 resources of a stack.
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
  const pools = providerPoolsOf(environment);
  return {
    ENVIRONMENT: environment.name,
    ...choiceVariables(environment),
    LOG_LEVEL: environment.logLevel,
    ...(capacity && { JOBS_AT_ONCE: String(capacity.jobsAtOnce) }),
    ...(pools && { PROVIDER_LINES: JSON.stringify(pools) }),
    CORE_TABLE: resources.tables.Core.tableName,
    AUTH_TABLE: resources.tables.Auth.tableName,
    EPHEMERAL_TABLE: resources.tables.Ephemeral.tableName,
    MEDIA_BUCKET: resources.media.bucketName,
    ...engineVariables(permissions.engines ?? {}, environment, resources),
  };
}

/** The name of the metric that counts the errors in the logs of an environment's functions. */
export const unexpectedErrors = 'UnexpectedErrors';

/**
 * Counts the errors in the logs, and the lines of Lambda about crashes and time-outs. Lambda's own error metric would also count
 * steps that refuse media, which is normal.
 */
function countUnexpected(id: string, logGroup: LogGroup, environment: Environment): void {
  const filter = new MetricFilter(logGroup, 'UnexpectedErrors', {
    logGroup,
    metricNamespace: namespaceOf(environment),
    metricName: unexpectedErrors,
    filterPattern: FilterPattern.anyTerm(
      '"level":"error"',
      'Task timed out',
      'Runtime.ExitError',
      'Runtime.ImportModuleError',
    ),
  });
  inLane(stableId(filter, `${id}UnexpectedErrors`));
}

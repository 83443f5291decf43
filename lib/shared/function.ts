/** A function of Kinora: its bundle, a role and a log group of its own, and its alarms. */
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
import type { Environment } from '../environments.ts';
import { type AlarmSpec, alarm } from './alarms.ts';
import { choiceVariables, engineVariables } from './engines.ts';
import { stableId } from './logical-id.ts';
import { namespaceOf } from './metrics.ts';
import {
  managedPoliciesOf,
  type Permissions,
  type Resources,
  statementsOf,
  wildcardsOf,
} from './permissions.ts';

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
  /**
   * What counts as a failure. A step refuses media by throwing, which is its normal work, so there only what it
   * logs as an error counts, and that it ran out of time or crashed.
   */
  readonly errors: 'thrown' | 'logged';
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
    props.image?.source.addResourceMetadata(this.node.defaultChild as CfnFunction, 'Code.ImageUri');
    const errors = props.errors === 'thrown' ? thrown(this.functionName) : logged(id, logGroup, environment);
    for (const spec of alarmsOf(id, this.functionName, props.timeout, errors))
      alarm(parts, environment, spec);
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
  const statements = [
    logging,
    ...statementsOf(id, props.permissions, props.environment, props.resources),
    ...(props.statements ?? []),
  ];
  // One policy inside of the role rather than a resource beside it: a stack holds 500 resources.
  const role = new Role(parts, 'Role', {
    assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
    managedPolicies: managedPoliciesOf(props.permissions, props.resources),
    inlinePolicies: { Permissions: new PolicyDocument({ statements }) },
  });
  Validations.of(role).acknowledge(
    ...wildcardsOf(props.permissions, props.environment),
    ...(props.acknowledgments ?? []),
  );
  return stableId(role, `${id}Role`);
}

function variablesOf({ environment, resources, permissions }: KinoraFunctionProps): Record<string, string> {
  return {
    ENVIRONMENT: environment.name,
    ...choiceVariables(environment),
    LOG_LEVEL: environment.logLevel,
    CORE_TABLE: resources.tables.Core.tableName,
    AUTH_TABLE: resources.tables.Auth.tableName,
    EPHEMERAL_TABLE: resources.tables.Ephemeral.tableName,
    MEDIA_BUCKET: resources.media.bucketName,
    ...engineVariables(permissions.engines ?? {}, environment, resources),
  };
}

type MetricSpec = AlarmSpec['metric'];

const lambdaMetric = (functionName: string, name: string, statistic: string): MetricSpec => ({
  namespace: 'AWS/Lambda',
  name,
  statistic,
  dimensions: { FunctionName: functionName },
});

const thrown = (functionName: string) => lambdaMetric(functionName, 'Errors', 'Sum');

/** Counts what a function whose errors are `logged` logs as one; it has no dimensions. */
export const unexpectedErrors = (id: string, environment: Environment) => ({
  namespace: namespaceOf(environment),
  name: `${id}UnexpectedErrors`,
});

function logged(id: string, logGroup: LogGroup, environment: Environment): MetricSpec {
  const metric = unexpectedErrors(id, environment);
  const filter = new MetricFilter(logGroup, 'UnexpectedErrors', {
    logGroup,
    metricNamespace: metric.namespace,
    metricName: metric.name,
    filterPattern: FilterPattern.anyTerm('"level":"error"', 'Task timed out', 'Runtime.ExitError'),
  });
  stableId(filter, `${id}UnexpectedErrors`);
  return { ...metric, statistic: 'Sum', dimensions: {} };
}

/** Share of its timeout, in percent, at which a function counts as about to run out of time. */
const SLOW_SHARE = 80;

function alarmsOf(id: string, functionName: string, timeout: number, errors: MetricSpec): AlarmSpec[] {
  return [
    {
      id: `${id}ErrorsAlarm`,
      title: `${id} fails`,
      runbook: 'function-errors',
      metric: errors,
      threshold: 1,
    },
    {
      id: `${id}ThrottlesAlarm`,
      title: `${id} is throttled`,
      runbook: 'function-throttled',
      metric: lambdaMetric(functionName, 'Throttles', 'Sum'),
      threshold: 1,
      periods: 3,
    },
    {
      id: `${id}DurationAlarm`,
      title: `${id} takes ${SLOW_SHARE} % of its ${timeout} s`,
      runbook: 'function-slow',
      metric: lambdaMetric(functionName, 'Duration', 'p99'),
      // Milliseconds.
      threshold: timeout * 10 * SLOW_SHARE,
      periods: 3,
    },
  ];
}

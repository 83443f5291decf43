/**
 * Rules for every template: encryption at rest, log retention, a dead-letter queue or an alarm for asynchronous work,
 * and names. Each rule lists the resources that break it, as `<logical id>: <fault>`.
 */
import type { Resource, Template } from './assembly.ts';

type Rule = (resource: Resource, template: Template, id: string) => string | null;

/**
 * Types that must be encrypted at rest, and the property that shows it. Services that always encrypt, with their own
 * key by default, are in `encryptedAnyway`.
 */
const encryption: Readonly<Record<string, Rule>> = {
  'AWS::S3::Bucket': ({ Properties }) =>
    Properties.BucketEncryption ? null : 'says nothing of its encryption',
  // https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-server-side-encryption.html
  'AWS::SQS::Queue': ({ Properties }) =>
    Properties.SqsManagedSseEnabled === true || Properties.KmsMasterKeyId ? null : 'is not encrypted',
  // https://docs.aws.amazon.com/sns/latest/dg/sns-server-side-encryption.html The topic of alarms is not encrypted. Its
  // messages contain only an alarm and a threshold, and CloudWatch could use only a customer managed key, at $1 a
  // month.
  'AWS::SNS::Topic': ({ Properties }, _, id) =>
    Properties.KmsMasterKeyId || id === 'Alerts' ? null : 'is not encrypted',
  'AWS::Kinesis::Stream': ({ Properties }) => (Properties.StreamEncryption ? null : 'is not encrypted'),
  'AWS::KinesisFirehose::DeliveryStream': ({ Properties }) =>
    Properties.DeliveryStreamEncryptionConfigurationInput ? null : 'is not encrypted',
  'AWS::EFS::FileSystem': ({ Properties }) => (Properties.Encrypted === true ? null : 'is not encrypted'),
  'AWS::KMS::Key': ({ Properties }) => (Properties.EnableKeyRotation === true ? null : 'does not rotate'),
};

/**
 * - DynamoDB: "all user data is encrypted at rest" under a key that AWS owns (Developer Guide, "DynamoDB encryption at
 *   rest").
 * - CloudWatch Logs: "log group data is always encrypted" (User Guide, "Encrypt log data"). A customer managed key
 *   costs $1 a month.
 * - ECR: "uses server-side encryption with Amazon S3-managed encryption keys" (User Guide, "Encryption at rest").
 * - Lambda encrypts variables, Step Functions executions, and Secrets Manager secrets, with keys of AWS.
 */
const encryptedAnyway = new Set([
  ...['AWS::DynamoDB::Table', 'AWS::ECR::Repository', 'AWS::Lambda::Function', 'AWS::Logs::LogGroup'],
  ...['AWS::SecretsManager::Secret', 'AWS::StepFunctions::StateMachine'],
]);

/** Services that store data. A type of theirs that is in neither list fails the test, so that an engineer decides. */
const keeping =
  /^AWS::(DynamoDB|ECR|EFS|Kinesis|KinesisFirehose|OpenSearchService|RDS|S3|SNS|SQS|SecretsManager)::(?!.*(Policy|Subscription|TopicInlinePolicy)$)/;

export function unencrypted(template: Template): string[] {
  return broken(template, (resource, ...rest) => {
    const rule = encryption[resource.Type];
    if (rule) return rule(resource, ...rest);
    const isUnknown = keeping.test(resource.Type) && !encryptedAnyway.has(resource.Type);
    return isUnknown ? `has the type ${resource.Type}, without a rule for its encryption` : null;
  });
}

/** Log groups without an expiry, and functions without a log group: Lambda would create one that never expires. */
export function unforgetting(template: Template): string[] {
  return broken(template, ({ Type, Properties }, _, id) => {
    if (Type === 'AWS::Logs::LogGroup') return Properties.RetentionInDays ? null : 'is never forgotten';
    if (Type !== 'AWS::Lambda::Function') return null;
    const group = refOf(Properties.LoggingConfig?.LogGroup) ?? defaultGroupOf(id, template) ?? '';
    const isOurs = template.Resources[group]?.Type === 'AWS::Logs::LogGroup';
    return isOurs ? null : 'logs into a group that the template does not have';
  });
}

const defaultGroupOf = (id: string, { Resources }: Template): string | undefined =>
  Object.entries(Resources).find(
    ([, { Type, Properties }]) =>
      Type === 'AWS::Logs::LogGroup' &&
      JSON.stringify(Properties.LogGroupName) ===
        JSON.stringify({ 'Fn::Join': ['', ['/aws/lambda/', { Ref: id }]] }),
  )?.[0];

/** The destination of asynchronous invocations after their last attempt. */
const destinations: Readonly<Record<string, Rule>> = {
  'AWS::Scheduler::Schedule': ({ Properties }) =>
    Properties.Target.DeadLetterConfig ? null : 'has no dead letters',
  // A message to operators needs none: EventBridge repeats it for a day, and ApiServerErrorsAlarm starts as well.
  'AWS::Events::Rule': ({ Properties }) =>
    (Properties.Targets as { DeadLetterConfig?: object; Arn?: { Ref?: string } }[]).every(
      (target) => target.DeadLetterConfig ?? target.Arn?.Ref === 'Alerts',
    )
      ? null
      : 'has a target without dead letters',
  'AWS::Lambda::EventInvokeConfig': ({ Properties }) =>
    Properties.DestinationConfig?.OnFailure ? null : 'has no destination for failures',
  'AWS::Lambda::EventSourceMapping': ({ Properties }) =>
    Properties.DestinationConfig?.OnFailure ? null : 'has no destination for failures',
  'AWS::SNS::Subscription': ({ Properties }) =>
    Properties.RedrivePolicy || Properties.Protocol === 'email' ? null : 'has no dead letters',
};

/** Functions that only observe, by name. A lost run loses no work, and an alarm rings if no run succeeds. */
const looking: Readonly<Record<string, string>> = { Canary: 'CanaryAlarm' };

/**
 * Asynchronous work that may be lost. The next run finds the same work within minutes, and an alarm rings if the runs
 * stop. A dead letter would contain only the time of the lost run.
 */
const repeated = (id: string, { Resources }: Template, alarms: readonly string[]): boolean => {
  const [, name = ''] = /^(\w+?)(Schedule|EventInvokeConfig\w*)$/.exec(id) ?? [];
  if (looking[name] !== undefined) return alarms.includes(looking[name]);
  const { ScheduleExpression = '' } = Resources[`${name}Schedule`]?.Properties ?? {};
  const [, minutes] = /^rate\((\d+) minutes?\)$/.exec(ScheduleExpression) ?? [];
  return Number(minutes) <= 5 && alarms.includes(`${name}SilentAlarm`);
};

/** @param alarms logical ids of the alarms of all stacks */
export function losing(template: Template, alarms: readonly string[] = []): string[] {
  return broken(template, (resource, _, id) =>
    repeated(id, template, alarms) ? null : (destinations[resource.Type]?.(resource, template, id) ?? null),
  );
}

/**
 * Fixed names. Environments in one account must not share a name, and CloudFormation must be able to create a
 * replacement before it deletes the original. So functions, tables, buckets, roles, queues and keys have no fixed name,
 * and every other name contains its environment.
 */
const unnamed: Readonly<Record<string, string>> = {
  'AWS::DynamoDB::Table': 'TableName',
  'AWS::IAM::ManagedPolicy': 'ManagedPolicyName',
  'AWS::IAM::Role': 'RoleName',
  'AWS::KMS::Alias': 'AliasName',
  'AWS::Lambda::Function': 'FunctionName',
  'AWS::S3::Bucket': 'BucketName',
  'AWS::SNS::Topic': 'TopicName',
  'AWS::SQS::Queue': 'QueueName',
  'AWS::StepFunctions::StateMachine': 'StateMachineName',
};
const named: Readonly<Record<string, string>> = {
  'AWS::ApiGatewayV2::Api': 'Name',
  'AWS::CloudWatch::Alarm': 'AlarmName',
  'AWS::CloudWatch::Dashboard': 'DashboardName',
  'AWS::Logs::LogGroup': 'LogGroupName',
};

const ofProject = /^MediaImage(Project|Trigger)Logs$/;

export function misnamed(template: Template, environment: string): string[] {
  return broken(template, ({ Type, Properties }, _, id) => {
    const none = unnamed[Type];
    if (none && Properties?.[none]) return `has the fixed name ${JSON.stringify(Properties[none])}`;
    const name = named[Type] && Properties?.[named[Type]];
    if (!name || ofProject.test(id)) return null;
    const isTold = new RegExp(`(^|[/_-])${environment}([/_-]|$)`).test(flat(name));
    return isTold ? null : `is named ${JSON.stringify(name)}, without its environment`;
  });
}

const flat = (name: unknown): string => (typeof name === 'string' ? name : JSON.stringify(name));

const refOf = (value: unknown): string | undefined => {
  const { Ref, 'Fn::GetAtt': attribute } = (value ?? {}) as { Ref?: string; 'Fn::GetAtt'?: string[] };
  return Ref ?? attribute?.[0];
};

function broken(template: Template, rule: Rule): string[] {
  return Object.entries(template.Resources).flatMap(([id, resource]) => {
    const found = rule(resource, template, id);
    return found === null ? [] : [`${id}: ${found}`];
  });
}

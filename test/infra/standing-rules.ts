/**
 * What holds for every template: encryption at rest, logs that are forgotten, an end for whatever is lost on its way, names.
 * Each rule names what breaks it, as `<logical id>: <what is missing>`.
 */
import type { Resource, Template } from './assembly.ts';

type Rule = (resource: Resource, template: Template, id: string) => string | null;

/**
 * What is encrypted at rest, and how a template shows it. Services that encrypt everything under a key of their own and take
 * another one at most are among `encryptedAnyway`.
 */
const encryption: Readonly<Record<string, Rule>> = {
  'AWS::S3::Bucket': ({ Properties }) =>
    Properties.BucketEncryption ? null : 'says nothing of its encryption',
  // https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-server-side-encryption.html
  'AWS::SQS::Queue': ({ Properties }) =>
    Properties.SqsManagedSseEnabled === true || Properties.KmsMasterKeyId ? null : 'is not encrypted',
  // https://docs.aws.amazon.com/sns/latest/dg/sns-server-side-encryption.html
  // That of alarms is not: its messages name an alarm and a threshold, and CloudWatch may use a key of ours alone, at $1 a month.
  'AWS::SNS::Topic': ({ Properties }, _, id) =>
    Properties.KmsMasterKeyId || id === 'Alerts' ? null : 'is not encrypted',
  'AWS::Kinesis::Stream': ({ Properties }) => (Properties.StreamEncryption ? null : 'is not encrypted'),
  'AWS::KinesisFirehose::DeliveryStream': ({ Properties }) =>
    Properties.DeliveryStreamEncryptionConfigurationInput ? null : 'is not encrypted',
  'AWS::EFS::FileSystem': ({ Properties }) => (Properties.Encrypted === true ? null : 'is not encrypted'),
  'AWS::KMS::Key': ({ Properties }) => (Properties.EnableKeyRotation === true ? null : 'does not rotate'),
};

/**
 * - DynamoDB: "all user data is encrypted at rest" under a key that AWS owns (Developer Guide, "DynamoDB encryption at rest").
 * - CloudWatch Logs: "log group data is always encrypted" (User Guide, "Encrypt log data"); a key of ours is $1 a month.
 * - ECR: "uses server-side encryption with Amazon S3-managed encryption keys" (User Guide, "Encryption at rest").
 * - Lambda encrypts variables, Step Functions executions, Secrets Manager secrets, under keys of AWS.
 */
const encryptedAnyway = new Set([
  ...['AWS::DynamoDB::Table', 'AWS::ECR::Repository', 'AWS::Lambda::Function', 'AWS::Logs::LogGroup'],
  ...['AWS::SecretsManager::Secret', 'AWS::StepFunctions::StateMachine'],
]);

/** Services that keep something: a type of theirs that no list knows has to be thought about. */
const keeping =
  /^AWS::(DynamoDB|ECR|EFS|Kinesis|KinesisFirehose|OpenSearchService|RDS|S3|SNS|SQS|SecretsManager)::(?!.*(Policy|Subscription|TopicInlinePolicy)$)/;

export function unencrypted(template: Template): string[] {
  return broken(template, (resource, ...rest) => {
    const rule = encryption[resource.Type];
    if (rule) return rule(resource, ...rest);
    const isUnknown = keeping.test(resource.Type) && !encryptedAnyway.has(resource.Type);
    return isUnknown ? `is a ${resource.Type}, of whose encryption no rule knows` : null;
  });
}

/** Log groups that are kept for ever, and functions whose group Lambda would make, which is. */
export function unforgetting(template: Template): string[] {
  return broken(template, ({ Type, Properties }, _, id) => {
    if (Type === 'AWS::Logs::LogGroup') return Properties.RetentionInDays ? null : 'is never forgotten';
    if (Type !== 'AWS::Lambda::Function') return null;
    const group = refOf(Properties.LoggingConfig?.LogGroup) ?? defaultGroupOf(id, template) ?? '';
    const isOurs = template.Resources[group]?.Type === 'AWS::Logs::LogGroup';
    return isOurs ? null : 'logs into a group that the template does not have';
  });
}

/** The group that has the name which Lambda gives it. */
const defaultGroupOf = (id: string, { Resources }: Template): string | undefined =>
  Object.entries(Resources).find(
    ([, { Type, Properties }]) =>
      Type === 'AWS::Logs::LogGroup' &&
      JSON.stringify(Properties.LogGroupName) ===
        JSON.stringify({ 'Fn::Join': ['', ['/aws/lambda/', { Ref: id }]] }),
  )?.[0];

/** Where what is invoked asynchronously goes once all attempts have failed. */
const destinations: Readonly<Record<string, Rule>> = {
  'AWS::Scheduler::Schedule': ({ Properties }) =>
    Properties.Target.DeadLetterConfig ? null : 'has no dead letters',
  'AWS::Events::Rule': ({ Properties }) =>
    (Properties.Targets as { DeadLetterConfig?: object }[]).every((target) => target.DeadLetterConfig)
      ? null
      : 'has a target without dead letters',
  'AWS::Lambda::EventInvokeConfig': ({ Properties }) =>
    Properties.DestinationConfig?.OnFailure ? null : 'has no destination for failures',
  'AWS::Lambda::EventSourceMapping': ({ Properties }) =>
    Properties.DestinationConfig?.OnFailure ? null : 'has no destination for failures',
  'AWS::SNS::Subscription': ({ Properties }) =>
    Properties.RedrivePolicy || Properties.Protocol === 'email' ? null : 'has no dead letters',
};

/** Work that only looks: a run that is lost leaves nothing undone, and the alarm rings where none succeeds. By its function. */
const looking: Readonly<Record<string, string>> = { Canary: 'CanaryAlarm' };

/**
 * Asynchronous work that may be lost: the next run finds the same to do, within minutes, and an alarm tells where runs stop. A
 * dead letter would hold the hour at which it did not run.
 */
const repeated = (id: string, { Resources }: Template, alarms: readonly string[]): boolean => {
  const [, name = ''] = /^(\w+?)(Schedule|EventInvokeConfig\w*)$/.exec(id) ?? [];
  if (looking[name] !== undefined) return alarms.includes(looking[name]);
  const { ScheduleExpression = '' } = Resources[`${name}Schedule`]?.Properties ?? {};
  const [, minutes] = /^rate\((\d+) minutes?\)$/.exec(ScheduleExpression) ?? [];
  return Number(minutes) <= 5 && alarms.includes(`${name}SilentAlarm`);
};

/** @param alarms logical ids of those of all stacks */
export function losing(template: Template, alarms: readonly string[] = []): string[] {
  return broken(template, (resource, _, id) =>
    repeated(id, template, alarms) ? null : (destinations[resource.Type]?.(resource, template, id) ?? null),
  );
}

/**
 * Names that people gave: two environments in one account must not fight for them, and what CloudFormation replaces must be able
 * to exist twice. So functions, tables, buckets, roles, queues and keys have none, and every other one tells its environment.
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

/** Groups of what the library for the image names by the project, which has no name of its own. */
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

/** The logical id that a Ref or Fn::GetAtt names. */
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

/**
 * Limits on size and number that AWS documents. The CDK does not check them, and neither does its template validation.
 * Each rule lists the resources that exceed a limit, as `<logical id>: <limit>`.
 */
import type { Resource, Template } from './assembly.ts';

/** A value in which text with the length of an ARN replaces each reference. */
export function filled(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(filled);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value);
  const [key = '', inner] = entries[0] ?? [];
  if (key === 'Fn::Join') {
    const [separator, parts] = inner as [string, unknown[]];
    return parts.map((part) => String(filled(part))).join(separator);
  }
  if (entries.length === 1 && /^(Ref$|Fn::)/.test(key)) return 'x'.repeat(ARN_LENGTH);
  return Object.fromEntries(entries.map(([name, one]) => [name, filled(one)]));
}

/** The length of the longest ARN in the templates: that of a machine in GovCloud, `arn:aws-us-gov:states:…`. */
const ARN_LENGTH = 120;

const lengthOf = (value: unknown): number => JSON.stringify(filled(value) ?? '').length;

type Measure = (resource: Resource, template: Template, id: string) => Readonly<Record<string, number>>;

interface Limit {
  /** A measured quantity, and its maximum. */
  readonly most: Readonly<Record<string, number>>;
  readonly measure: Measure;
}

/** Limits by type of resource. The pages are in AWS's guides. */
const limits: Readonly<Record<string, Limit>> = {
  // Lambda Developer Guide, "Lambda quotas"; CloudFormation Template Reference, AWS::Lambda::Function.
  'AWS::Lambda::Function': {
    most: { 'bytes of variables': 4096, 'characters of description': 256 },
    measure: ({ Properties }) => ({
      'bytes of variables': lengthOf(Properties.Environment?.Variables),
      'characters of description': (Properties.Description ?? '').length,
    }),
  },
  // IAM User Guide, "IAM and AWS STS quotas": white space does not count; ten managed policies a role unless more were asked for.
  'AWS::IAM::Role': {
    most: { 'characters of inline policies': 10_240, 'managed policies': 10 },
    measure: ({ Properties }, template, id) => ({
      'characters of inline policies': [...(Properties.Policies ?? []), ...beside(template, id)]
        .map(({ PolicyDocument }) => lengthOf(PolicyDocument))
        .reduce((sum, length) => sum + length, 0),
      'managed policies': (Properties.ManagedPolicyArns ?? []).length,
    }),
  },
  'AWS::IAM::ManagedPolicy': {
    most: { characters: 6144 },
    measure: ({ Properties }) => ({ characters: lengthOf(Properties.PolicyDocument) }),
  },
  // IAM User Guide, "IAM and AWS STS quotas": white space does not count. A role may have ten managed policies by
  // default.
  'AWS::StepFunctions::StateMachine': {
    most: { 'bytes of definition': 1_000_000 },
    measure: ({ Properties }) => ({ 'bytes of definition': lengthOf(Properties.DefinitionString) }),
  },
  // Step Functions Developer Guide, "Service quotas": a request has at most 1 MB. The test measures the definition as
  // the template has it.
  'AWS::CloudFront::Function': {
    most: { 'bytes of code': 10_240 },
    measure: ({ Properties }) => ({
      'bytes of code': Buffer.byteLength(String(filled(Properties.FunctionCode))),
    }),
  },
  // EventBridge User Guide, "Amazon EventBridge quotas".
  'AWS::Events::Rule': {
    most: { 'characters of pattern': 2048, targets: 5 },
    measure: ({ Properties }) => ({
      'characters of pattern': lengthOf(Properties.EventPattern),
      targets: Properties.Targets.length,
    }),
  },
  // CloudWatch User Guide, "CloudWatch service quotas"; API Reference, PutMetricAlarm: an alarm looks back at most a
  // week if its periods are hours.
  'AWS::CloudWatch::Alarm': {
    most: { metrics: 10, actions: 5, 'seconds looked at': 604_800, searches: 0 },
    measure: ({ Properties: { Metrics = [], AlarmActions = [], Period, EvaluationPeriods } }) => {
      const periods = [Period, ...Metrics.map((one: AlarmMetric) => one.MetricStat?.Period)];
      const longest = Math.max(...periods.map((period) => period ?? 0));
      const seconds = longest * EvaluationPeriods;
      return {
        metrics: Metrics.length,
        actions: AlarmActions.length,
        'seconds looked at': longest < 3600 && seconds > 86_400 ? Number.POSITIVE_INFINITY : seconds,
        searches: Metrics.filter(({ Expression = '' }: AlarmMetric) => Expression.includes('SEARCH(')).length,
      };
    },
  },
  // CloudWatch Logs API Reference, PutQueryDefinition.
  'AWS::Logs::QueryDefinition': {
    most: { groups: 50, characters: 10_000 },
    measure: ({ Properties }) => ({
      groups: (Properties.LogGroupNames ?? []).length,
      characters: Properties.QueryString.length,
    }),
  },
  // CloudWatch Logs API Reference, CreateLogGroup.
  'AWS::Logs::LogGroup': {
    most: { 'characters of name': 512 },
    measure: ({ Properties }) => ({ 'characters of name': lengthOf(Properties.LogGroupName) }),
  },
};

interface AlarmMetric {
  readonly Expression?: string;
  readonly MetricStat?: { readonly Period?: number };
}

const beside = ({ Resources }: Template, role: string) =>
  Object.values(Resources)
    .filter(({ Type, Properties }) => Type === 'AWS::IAM::Policy' && names(Properties.Roles, role))
    .map(({ Properties }) => Properties);

const names = (roles: readonly { readonly Ref?: string }[], role: string): boolean =>
  roles.some(({ Ref }) => Ref === role);

export function beyond(template: Template): string[] {
  return [...ofTemplate(template), ...Object.entries(template.Resources).flatMap(ofResource)];

  function ofResource([id, resource]: [string, Resource]): string[] {
    const limit = limits[resource.Type];
    if (limit === undefined) return [];
    return Object.entries(limit.measure(resource, template, id))
      .filter(([what, count]) => count > limit.most[what]!)
      .map(([what, count]) => `${id}: ${count} ${what}`);
  }
}

/** CloudFormation User Guide, "Understand CloudFormation quotas". The CDK uploads templates to S3. */
function ofTemplate(template: Template): string[] {
  const text = JSON.stringify(template);
  const counts = {
    bytes: [Buffer.byteLength(JSON.stringify(template, null, 1)), 1_000_000],
    resources: [Object.keys(template.Resources).length, 500],
    outputs: [Object.keys(template.Outputs ?? {}).length, 200],
    'dynamic references': [text.match(/\{\{resolve:/g)?.length ?? 0, 60],
  } as const;
  return Object.entries(counts)
    .filter(([, [count, most]]) => count > most)
    .map(([what, [count]]) => `the template: ${count} ${what}`);
}

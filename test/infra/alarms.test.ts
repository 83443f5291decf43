import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { root } from '../../toolchain/bundle/paths.ts';
import { ofType, type Resource, type Template } from './assembly.ts';
import { apart, everything } from './site-assembly.ts';

/**
 * When an alarm rings: its metric, statistic and threshold, the number and length (s) of its periods, and how it treats
 * missing data.
 */
type Ringing = readonly [when: string, lasting: string, missing: 'well' | 'bad', runbook: string];

const share = 'IF(requests >= 100, 100 * FILL(errors, 0) / requests, 0)';
const requests = 'AWS/ApiGateway Count Sum';
const errors = 'Kinora/dev ApiServerErrors Sum';
const throttled = (table: string): Record<string, Ringing> =>
  Object.fromEntries(
    ['Read', 'Write'].map((way) => [
      `${table}${way}ThrottledAlarm`,
      [`AWS/DynamoDB ${way}ThrottleEvents Sum of TableName >= 1`, '2 x 300', 'well', 'table-throttled'],
    ]),
  );
const failed = (machine: string): Record<string, Ringing> => ({
  [`${machine}FailedAlarm`]: [
    'AWS/States ExecutionsFailed Sum of StateMachineArn >= 1',
    ...(['1 x 300', 'well', 'machine-failed'] as const),
  ],
});
const edge = (name: string): Record<string, Ringing> => ({
  [`${name}ErrorsAlarm`]: [
    'AWS/CloudFront FunctionExecutionErrors Sum of FunctionName, Region >= 1',
    ...(['1 x 300', 'well', 'site-function-errors'] as const),
  ],
  [`${name}InvalidAlarm`]: [
    'AWS/CloudFront FunctionValidationErrors Sum of FunctionName, Region >= 1',
    ...(['1 x 300', 'well', 'site-function-errors'] as const),
  ],
});

/** Every alarm of dev, by its logical id. An alarm without a dimension counts the whole environment, or the account. */
const alarmsOfDev: Readonly<Record<string, Ringing>> = {
  ApiServerErrorsAlarm: [`${errors} >= 5`, '1 x 300', 'well', 'api-server-errors'],
  ApiFastBurnAlarm: [`${share}: ${requests}, ${errors} >= 1.44`, '1 x 3600', 'well', 'api-availability'],
  ApiSlowBurnAlarm: [`${share}: ${requests}, ${errors} >= 0.6`, '1 x 21600', 'well', 'api-availability'],
  ApiLatencyAlarm: ['AWS/ApiGateway Latency p99 of ApiId >= 3000', '3 x 300', 'well', 'api-slow'],
  JobWaitsAlarm: ['Kinora/dev OldestWaiting Maximum >= 3600', '2 x 300', 'well', 'job-waits'],
  ProviderPlacesAlarm: [
    'Kinora/dev ProviderPlaces Maximum >= 80',
    ...(['3 x 300', 'well', 'provider-near-its-quota'] as const),
  ],
  ProviderErrorsAlarm: ['Kinora/dev ProviderErrors Sum >= 5', '3 x 300', 'well', 'provider-errors'],
  SettleExecutionAlarm: [
    'AWS/Events TriggeredRules Sum of RuleName >= 1',
    ...(['1 x 300', 'well', 'machine-failed'] as const),
  ],
  SettleExecutionDeadLettersAlarm: [
    'AWS/SQS ApproximateNumberOfMessagesVisible Maximum of QueueName >= 1',
    ...(['1 x 300', 'well', 'event-undelivered'] as const),
  ],
  ...failed('DeleteAsset'),
  ...failed('EmptyCollection'),
  ...failed('DeliverEvent'),
  FunctionErrorsAlarm: ['Kinora/dev UnexpectedErrors Sum >= 1', '1 x 300', 'well', 'function-errors'],
  ThrottlesAlarm: ['AWS/Lambda Throttles Sum >= 1', '3 x 300', 'well', 'function-throttled'],
  SlowStepsAlarm: ['Kinora/dev NearTimeout Sum >= 3', '3 x 300', 'well', 'function-slow'],
  // Four fifths of the ten functions that a new account may run at once.
  ConcurrencyAlarm: [
    'AWS/Lambda ConcurrentExecutions Maximum >= 8',
    ...(['3 x 300', 'well', 'concurrency-near-its-quota'] as const),
  ],
  SweepSilentAlarm: [
    'AWS/Lambda Invocations Sum of FunctionName < 1',
    ...(['3 x 300', 'bad', 'schedule-silent'] as const),
  ],
  ...throttled('Core'),
  ...throttled('Auth'),
  ...throttled('Ephemeral'),
  SiteServerErrorsAlarm: [
    'AWS/CloudFront 5xxErrorRate Average of DistributionId, Region >= 5',
    ...(['2 x 300', 'well', 'site-server-errors'] as const),
  ],
  ...edge('SiteViewerRequest'),
  ...edge('SiteViewerResponse'),
};

interface Stat {
  readonly Namespace: string;
  readonly MetricName: string;
  readonly Dimensions?: readonly { readonly Name: string }[];
}

const named = ({ Namespace, MetricName }: Stat, statistic: string) =>
  `${Namespace} ${MetricName} ${statistic}`;

function ringingOf({ Properties: alarm }: Resource): Ringing {
  const parts = (alarm.Metrics ?? []) as {
    Expression?: string;
    MetricStat?: { Metric: Stat; Stat: string; Period: number };
  }[];
  const expression = parts.find(({ Expression }) => Expression)?.Expression;
  const stats = parts.flatMap(({ MetricStat }) => MetricStat ?? []);
  const dimensions = ((alarm.Dimensions ?? []) as Stat['Dimensions'])!.map(({ Name }) => Name).sort();
  const metric = expression
    ? `${expression}: ${stats.map(({ Metric, Stat }) => named(Metric, Stat)).join(', ')}`
    : named(alarm, alarm.Statistic ?? alarm.ExtendedStatistic) +
      (dimensions.length > 0 ? ` of ${dimensions.join(', ')}` : '');
  const signs: Record<string, string> = {
    GreaterThanOrEqualToThreshold: '>=',
    LessThanThreshold: '<',
  };
  const period = alarm.Period ?? [...new Set(stats.map(({ Period }) => Period))].join();
  return [
    `${metric} ${signs[alarm.ComparisonOperator]} ${alarm.Threshold}`,
    `${alarm.EvaluationPeriods} x ${period}`,
    ({ notBreaching: 'well', breaching: 'bad' } as const)[alarm.TreatMissingData as 'breaching']!,
    /docs\/runbooks\.md#([\w-]+)$/.exec(alarm.AlarmDescription)?.[1] ?? '',
  ];
}

const alarmsIn = (templates: Readonly<Record<string, Template>>): [string, Resource][] =>
  Object.values(templates).flatMap((template) => ofType(template, 'AWS::CloudWatch::Alarm'));

describe('every alarm', () => {
  let dev: [string, Resource][];
  let prod: [string, Resource][];
  beforeAll(async () => {
    dev = alarmsIn(await everything('dev'));
    prod = alarmsIn(await apart('prod'));
  });

  it('has the expected metric, statistic, threshold, period, treatment of missing data, and runbook', () => {
    const ringing = Object.fromEntries(dev.map(([id, alarm]) => [id, ringingOf(alarm)]));
    expect(ringing).toEqual(alarmsOfDev);
  });

  it('is the same in production, with one more for the canary: no success in the time of two runs', () => {
    const pagedBy = prod.filter(([, { Properties }]) => Properties.AlarmActions !== undefined);
    const ringing = Object.fromEntries(pagedBy.map(([id, alarm]) => [id, ringingOf(alarm)]));
    const { CanaryAlarm, ...others } = JSON.parse(
      JSON.stringify(ringing).replaceAll('Kinora/prod', 'Kinora/dev'),
    );
    expect(others).toEqual(alarmsOfDev);
    expect(CanaryAlarm).toEqual(['Kinora/dev CanarySucceeded Sum < 1', '15 x 300', 'bad', 'canary']);
  });

  it('notifies its topic when it begins and when it ends', () => {
    for (const [id, { Properties }] of dev) {
      expect(Properties.AlarmActions, id).toEqual([{ Ref: 'Alerts' }]);
      expect(Properties.OKActions, id).toEqual([{ Ref: 'Alerts' }]);
      expect(Properties.ActionsEnabled ?? true, id).toBe(true);
    }
  });

  it('has a heading in the runbooks', () => {
    const text = readFileSync(join(root, 'docs', 'runbooks.md'), 'utf8');
    const headings = [...text.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading!);
    const anchors = headings.map((heading) => heading.toLowerCase().replaceAll(' ', '-'));
    for (const [id, [, , , runbook]] of Object.entries(alarmsOfDev)) expect(anchors, id).toContain(runbook);
    expect(anchors).toContain('canary');
  });
});

import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { listeners } from '../../lib/jobs/steps.ts';
import { root } from '../../toolchain/bundle/paths.ts';
import { ofType, type Resource, synthesize, type Template } from './assembly.ts';
import { everything, protectedSettings } from './site-assembly.ts';

type Alarms = readonly (readonly [id: string, alarm: Resource])[];
type ByPart = Readonly<Record<string, Template>>;

const alarmsIn = (templates: ByPart): Alarms =>
  Object.values(templates).flatMap((template) => ofType(template, 'AWS::CloudWatch::Alarm'));

interface Metric {
  readonly Namespace: string;
  readonly MetricName: string;
}

const metricsOf = ({ Properties }: Resource): Metric[] =>
  Properties.Metrics === undefined
    ? [Properties]
    : (Properties.Metrics as { MetricStat?: { Metric: Metric } }[]).flatMap(
        ({ MetricStat }) => MetricStat?.Metric ?? [],
      );

const read = (...files: string[]) => files.map((file) => readFileSync(join(root, file), 'utf8')).join('\n');

let templates: ByPart;
let alarms: Alarms;
beforeAll(async () => {
  templates = await everything('dev');
  alarms = alarmsIn(templates);
});

/** The logical ids of alarms on a metric that name a resource in their dimensions. */
const watching = (metricName: string, resource: string) =>
  alarms.filter(
    ([, { Properties }]) =>
      Properties.MetricName === metricName && JSON.stringify(Properties.Dimensions).includes(resource),
  );

describe('every alarm', () => {
  it('links a heading of the runbooks that exists', () => {
    const headings = [...read('docs/runbooks.md').matchAll(/^## (.+)$/gm)].map(([, title]) => title!);
    const anchors = headings.map((title) => title.toLowerCase().replaceAll(' ', '-'));
    const prod = alarmsIn(synthesize('prod'));
    for (const [id, { Properties }] of [...alarms, ...prod]) {
      // The alarm of a gradual rollout is for CodeDeploy, and has no receiver.
      if (Properties.AlarmActions === undefined) continue;
      const [, anchor] = /. What to do: docs\/runbooks\.md#([\w-]+)$/.exec(Properties.AlarmDescription) ?? [];
      expect(anchors, id).toContain(anchor);
    }
  });

  it('watches metrics of AWS, or metrics that a function or the filter of a log publishes', () => {
    const filtered = Object.values(templates)
      .flatMap((template) => ofType(template, 'AWS::Logs::MetricFilter'))
      .flatMap(([, { Properties }]) => Properties.MetricTransformations as Metric[])
      .map(({ MetricName }) => MetricName);
    const source = read(...globSync('{lambdas,platform}/**/*.ts', { cwd: root }));
    for (const [id, alarm] of alarms) {
      for (const { Namespace, MetricName } of metricsOf(alarm)) {
        if (Namespace.startsWith('AWS/')) continue;
        expect(Namespace, id).toBe('Kinora/dev');
        // A schedule publishes the count `oldestWaiting` as OldestWaiting.
        const published = new RegExp(
          `\\b${MetricName.replace(/^./, (first) => `[${first}${first.toLowerCase()}]`)}\\b`,
        );
        expect(filtered.includes(MetricName) || published.test(source), id).toBe(true);
      }
    }
  });

  it('starts at a threshold, or below one without data if the work must not stop', () => {
    for (const [id, { Properties }] of alarms) {
      expect(Properties.Threshold, id).toBeGreaterThan(0);
      expect([Properties.ComparisonOperator, Properties.TreatMissingData], id).toEqual(
        Properties.ComparisonOperator === 'LessThanThreshold'
          ? ['LessThanThreshold', 'breaching']
          : ['GreaterThanOrEqualToThreshold', 'notBreaching'],
      );
    }
  });

  it('notifies its topic when it begins and when it ends, and the addresses in the file of the environment', async () => {
    for (const [id, { Properties }] of alarms) {
      expect(Properties.AlarmActions, id).toEqual([{ Ref: 'Alerts' }]);
      expect(Properties.OKActions, id).toEqual([{ Ref: 'Alerts' }]);
      expect(Properties.ActionsEnabled ?? true, id).toBe(true);
    }
    for (const template of Object.values(await everything('dev', protectedSettings))) {
      const topics = ofType(template, 'AWS::SNS::Topic').length;
      const subscribed = ofType(template, 'AWS::SNS::Subscription').map(
        ([, { Properties }]) => Properties.Endpoint,
      );
      expect(subscribed).toEqual(Array(topics).fill('ops@kinora.example'));
    }
  });

  it('notifies the topic that the environment names', () => {
    const topic = 'arn:aws:sns:eu-central-1:123456789012:alarms';
    const { Ops } = synthesize('dev', { alerts: { topicArn: topic } });
    for (const [, { Properties }] of ofType(Ops, 'AWS::CloudWatch::Alarm')) {
      expect(Properties.AlarmActions).toEqual([topic]);
      expect(Properties.OKActions).toEqual([topic]);
    }
  });
});

describe('an alarm', () => {
  it('watches every machine, by itself or by the listener to its executions', () => {
    const heard = new Set(Object.values(listeners).flatMap(({ hears }) => hears as readonly string[]));
    for (const [id] of ofType(templates.Jobs!, 'AWS::StepFunctions::StateMachine')) {
      const own = alarms.filter(([, alarm]) => JSON.stringify(alarm).includes(id));
      const metrics = own.flatMap(([, alarm]) => metricsOf(alarm).map(({ MetricName }) => MetricName));
      const isHeard = heard.has(id.replace(/Machine$/, ''));
      expect(metrics, id).toEqual(isHeard ? [] : ['ExecutionsFailed', 'ExecutionsTimedOut']);
    }
  });

  it.each([10, 1000])('for concurrency does not start at the designed load, of %d', (lambdaConcurrency) => {
    const { Ops } = synthesize('dev', { quotas: { lambdaConcurrency } });
    const { Threshold } = Ops.Resources.ConcurrencyAlarm!.Properties;
    // Jobs use four fifths. Some of the rest are requests.
    expect(Threshold).toBeGreaterThan(lambdaConcurrency * 0.9);
    expect(Threshold).toBeLessThanOrEqual(lambdaConcurrency);
  });

  it('of a rollout reaches the topic by a rule, because the topic is in a later stack', () => {
    const { Api, Ops } = synthesize('prod');
    const silent = [Api, Ops]
      .flatMap((template) => ofType(template, 'AWS::CloudWatch::Alarm'))
      .filter(([, { Properties }]) => Properties.AlarmActions === undefined);
    expect(silent.map(([id]) => id)).toEqual(['ApiRolloutAlarm']);
    const [, { Properties }] = ofType(Ops, 'AWS::Events::Rule')[0]!;
    expect(JSON.stringify(Properties.EventPattern)).toContain(`:alarm:${silent[0]![1].Properties.AlarmName}`);
    expect(Properties.EventPattern.detail).toEqual({ state: { value: ['ALARM'] } });
    expect(Properties.Targets[0].Arn).toEqual({ Ref: 'Alerts' });
    const policy = JSON.stringify(ofType(Ops, 'AWS::SNS::TopicPolicy'));
    expect(policy).toContain('events.amazonaws.com');
  });

  it('watches every table, both ways', () => {
    const tables = Object.values(templates).flatMap((template) =>
      ofType(template, 'AWS::DynamoDB::GlobalTable').concat(ofType(template, 'AWS::DynamoDB::Table')),
    );
    expect(tables.length).toBeGreaterThan(0);
    for (const [id] of tables) {
      for (const metric of ['ReadThrottleEvents', 'WriteThrottleEvents'])
        expect(watching(metric, id), `${id} ${metric}`).toHaveLength(1);
    }
  });

  it('says how fast the error budget of thirty days is used up: 2 % in an hour, 5 % in six hours', () => {
    for (const [id, hours, share] of [
      ['ApiFastBurnAlarm', 1, 0.02],
      ['ApiSlowBurnAlarm', 6, 0.05],
    ] as const) {
      const { Threshold, Metrics } = templates.Ops!.Resources[id]!.Properties;
      // 0.1 % of the requests of thirty days may fail; this share of them, within these hours.
      expect(Threshold).toBeCloseTo((0.1 * share * 30 * 24) / hours, 5);
      const periods = Metrics.flatMap(
        ({ MetricStat }: { MetricStat?: { Period: number } }) => MetricStat?.Period ?? [],
      );
      expect(new Set(periods)).toEqual(new Set([hours * 3600]));
    }
  });
});

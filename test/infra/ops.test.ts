import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { runReport } from '../../lambdas/canary/rules/outcome.ts';
import { mainStages } from '../../lambdas/canary/rules/stages.ts';
import { readDefinitions } from '../../lib/jobs/definitions.ts';
import { root } from '../../toolchain/bundle/paths.ts';
import { canaryCosts, idleCosts } from '../../toolchain/costs/idle.ts';
import { httpEvent } from '../support/http-event.ts';
import { ofType, shipped, synthesize, type Template } from './assembly.ts';
import { bodyOf, drawn, searches, type Widget, widgetsOf } from './dashboard.ts';
import { apart, everything, protectedSettings } from './site-assembly.ts';

let templates: Readonly<Record<string, Template>>;
let widgets: Widget[];
beforeAll(async () => {
  templates = await everything('dev');
  widgets = widgetsOf(templates.Ops!);
});

const shownOf = (metric: string, dimension: string) =>
  drawn(widgets)
    .filter((spec) => spec[1] === metric && spec[2] === dimension)
    .map((spec) => spec[3]);

describe('the dashboard', () => {
  it('is within the limits of CloudWatch', () => {
    expect(Buffer.byteLength(bodyOf(templates.Ops!))).toBeLessThan(100_000);
    expect(widgets.length).toBeLessThan(500);
    for (const { properties } of widgets) {
      expect(properties.metrics?.length ?? 0, properties.title).toBeLessThan(500);
      expect(properties.alarms?.length ?? 0, properties.title).toBeLessThanOrEqual(100);
      expect(properties.query?.split('SOURCE ').length ?? 0, properties.title).toBeLessThanOrEqual(51);
    }
    expect(drawn(widgets).length).toBeLessThan(2500);
    for (const search of searches(widgets)) expect(search.length, search).toBeLessThan(1024);
  });

  it('has no gaps and no overlaps', () => {
    for (const { x, width } of widgets) expect(x + width).toBeLessThanOrEqual(24);
    const cells = widgets.flatMap(({ x, y, width, height }) =>
      Array.from(
        { length: width * height },
        (_, cell) => `${x + (cell % width)},${y + Math.floor(cell / width)}`,
      ),
    );
    expect(new Set(cells).size).toBe(cells.length);
    expect(cells.length).toBe(24 * Math.max(...widgets.map(({ y, height }) => y + height)));
  });

  it('has a question over every graph, and its unit there and at the axis', () => {
    for (const { type, properties } of widgets) {
      if (type === 'text') continue;
      expect(properties.title).toMatch(type === 'alarm' ? /^.+\?/ : /^.+\?.* \((.+)\)$/);
      if (type === 'metric') expect(properties.title).toContain(`(${properties.yAxis.left.label})`);
    }
  });

  it('shows first whether the main job works, if there is a canary, and how long each stage takes', () => {
    const prod = widgetsOf(synthesize('prod').Ops);
    const questions = prod.flatMap(({ properties }) => /^## (.+)/.exec(properties.markdown ?? '')?.[1] ?? []);
    expect(questions.slice(0, 2)).toEqual(['Does the main job work?', 'Is the API well?']);
    const shown = drawn(prod).map(([, name]) => name);
    const took = Object.fromEntries(mainStages.map((stage) => [stage, 1]));
    const outcome = { took, leftovers: 0, ids: {} };
    const published = [null, { stage: 'Key' as const, says: '' }].flatMap(
      (failed) => runReport({ ...outcome, failed }).metrics,
    );
    expect(shown).toEqual(expect.arrayContaining(published.map(({ name }) => name)));
    expect(drawn(widgets).filter(([, name]) => String(name).startsWith('Canary'))).toEqual([]);
  });

  it('starts with what to check first and every runbook, linked if the address is known', async () => {
    const { markdown } = widgets[0]!.properties;
    expect(markdown).toContain('Look at the alarms first');
    for (const template of Object.values(templates)) {
      for (const [id, { Properties }] of ofType(template, 'AWS::CloudWatch::Alarm')) {
        const [runbook] = /docs\/runbooks\.md#[\w-]+$/.exec(Properties.AlarmDescription)!;
        expect(markdown, id).toContain(runbook);
      }
    }
    const { Ops } = await everything('dev', protectedSettings);
    const linked = widgetsOf(Ops!)[0]!.properties.markdown;
    expect(linked).toContain(`[table throttled](${protectedSettings.runbooksUrl}#table-throttled)`);
  });

  it('shows every alarm of every stack under its name', () => {
    const alarms = Object.entries(templates).flatMap(([part, template]) =>
      ofType(template, 'AWS::CloudWatch::Alarm').map(([, { Properties }]) => {
        const region = part.startsWith('SiteWatch') ? 'us-east-1' : 'eu-central-1';
        return `arn:aws:cloudwatch:${region}:123456789012:alarm:${Properties.AlarmName}`;
      }),
    );
    const shown = widgets.flatMap(({ properties }) => properties.alarms ?? []);
    expect(shown.sort()).toEqual(alarms.sort());
    expect(new Set(shown).size).toBe(shown.length);
  });

  it('shows executions that start, succeed, fail and time out, of every state machine', () => {
    const machines = readDefinitions().length;
    for (const metric of ['Started', 'Succeeded', 'Failed', 'TimedOut']) {
      const shown = shownOf(`Executions${metric}`, 'StateMachineArn');
      expect(new Set(shown).size, metric).toBe(machines);
    }
  });

  it('shows throttling and consumed capacity of every table, for reads and writes', () => {
    for (const metric of [
      'ReadThrottleEvents',
      'WriteThrottleEvents',
      'ConsumedReadCapacityUnits',
      'ConsumedWriteCapacityUnits',
    ]) {
      expect(new Set(shownOf(metric, 'TableName')).size, metric).toBe(3);
    }
  });

  it('finds functions by the stack name that CloudFormation puts into their names', () => {
    const found = searches(widgets).filter((search) => search.includes('AWS/Lambda'));
    expect(found.length).toBeGreaterThan(0);
    for (const search of found) expect(search).toMatch(/\(FunctionName=Kinora-dev-(Api|Jobs)[ )-]/);
    for (const part of ['Api', 'Jobs']) {
      for (const [id, { Properties }] of ofType(templates[part]!, 'AWS::Lambda::Function')) {
        expect(Properties.FunctionName, id).toBeUndefined();
      }
    }
  });

  it('reads the metrics of CloudFront in us-east-1, and all others in their region', () => {
    for (const metric of drawn(widgets)) {
      const options = metric.at(-1) as { region?: string };
      expect(options.region, JSON.stringify(metric)).toBe(
        metric[0] === 'AWS/CloudFront' ? 'us-east-1' : undefined,
      );
    }
    expect(shownOf('Requests', 'DistributionId')).toHaveLength(1);
    for (const metric of ['FunctionExecutionErrors', 'FunctionValidationErrors', 'FunctionThrottles']) {
      expect(new Set(shownOf(metric, 'FunctionName')).size, metric).toBe(2);
    }
  });
});

describe('the metrics of functions', () => {
  interface Embedded {
    readonly _aws: {
      readonly CloudWatchMetrics: {
        readonly Namespace: string;
        readonly Dimensions: string[][];
        readonly Metrics: { readonly Name: string }[];
      }[];
    };
  }

  /** The schema and the metrics of the only line with metrics that `run` logs. */
  async function counted(run: () => Promise<unknown>) {
    const lines: string[] = [];
    const out = vi.spyOn(process.stdout, 'write').mockImplementation((line) => lines.push(String(line)) > 0);
    await run();
    out.mockRestore();
    const { CloudWatchMetrics } = (JSON.parse(lines.find((line) => line.includes('_aws'))!) as Embedded)._aws;
    const [{ Namespace, Dimensions, Metrics }] = CloudWatchMetrics as [
      Embedded['_aws']['CloudWatchMetrics'][0],
    ];
    return {
      namespace: Namespace,
      dimensions: Dimensions,
      metrics: Metrics.map(({ Name }) => Name),
    };
  }

  beforeAll(() => {
    Object.assign(process.env, { ENVIRONMENT: 'dev', AWS_REGION: 'us-east-1', ENGINES: 'local' });
  });

  it('have no dimensions for requests, because AWS bills each dimension value as a metric', async () => {
    const { handler } = await import('../../lambdas/languages/api/languages.ts');
    const { namespace, dimensions, metrics } = await counted(() =>
      (handler as unknown as (event: object, context: object) => Promise<unknown>)(
        httpEvent({ route: 'GET /v1/languages' }),
        {},
      ),
    );
    expect(metrics).toEqual(['Requests', 'Latency', 'ServerErrors']);
    expect([namespace, dimensions]).toEqual(['Kinora/dev', [[]]]);
    const own = drawn(widgets).filter(([space]) => space === namespace);
    expect(own.map(([, name]) => name)).toEqual(expect.arrayContaining(['Latency', 'ServerErrors']));
  });

  it('have no dimensions for steps, too', async () => {
    const { step } = await import('../../platform/kernel/step.ts');
    const run = step({ name: 'AnyStep' }, async () => ({})) as unknown as (
      event: object,
      context: object,
    ) => Promise<unknown>;
    const { dimensions, metrics } = await counted(() => run({ tenant: 'acme' }, {}));
    expect(dimensions).toEqual([[]]);
    expect(metrics).toEqual(['Steps', 'StepFailures', 'ProviderErrors', 'NearTimeout', 'StepDuration']);
  });
});

describe('a saved query', () => {
  const saved = () =>
    ofType(templates.Ops!, 'AWS::Logs::QueryDefinition').map(([, { Properties }]) => Properties);

  it('reads the logs of all functions that it concerns, at most fifty', () => {
    const read = (name: string) =>
      saved()
        .filter(({ Name }) => Name.startsWith(`Kinora/dev/${name}`))
        .flatMap(({ LogGroupNames }) => LogGroupNames);
    const logsOf = (...parts: string[]) =>
      parts
        .flatMap((part) => ofType(templates[part]!, 'AWS::Logs::LogGroup'))
        .map(([, { Properties }]) => String(Properties.LogGroupName))
        .filter((name) => name.startsWith('/kinora/'))
        .sort();
    expect(read('Which operations fail').sort()).toEqual(logsOf('Api'));
    expect(read('Which steps fail').sort()).toEqual(logsOf('Jobs'));
    expect(read('What fails unexpectedly').sort()).toEqual(logsOf('Api', 'Jobs'));
    for (const { Name, LogGroupNames } of saved()) expect(LogGroupNames.length, Name).toBeLessThanOrEqual(50);
  });

  it('for the canary reads only its log, and the fields of a failed run', () => {
    const { LogGroupNames, QueryString } = saved().find(({ Name }) => Name.includes('canary'))!;
    expect(LogGroupNames).toEqual(['/kinora/dev/Canary']);
    const { metrics, fields } = runReport({
      failed: { stage: 'Upload', says: '' },
      took: {},
      leftovers: 0,
      ids: {},
    });
    for (const name of [...metrics.map((metric) => metric.name), ...Object.keys(fields!)])
      expect(QueryString).toContain(name);
  });

  it('for memory reads the lines that Lambda writes after a run', () => {
    const { QueryString } = saved().find(({ Name }) => Name.includes('near their memory'))!;
    const [, pattern] = /parse @message \/(.+)\/\n/.exec(QueryString)!;
    const line =
      'REPORT RequestId: 5f6ff\tDuration: 3.1 ms\tBilled Duration: 4 ms\tMemory Size: 512 MB\tMax Memory Used: 97 MB\t\n';
    expect(new RegExp(pattern!).exec(line)?.groups).toEqual({ memory: '512', used: '97' });
    expect(line).toMatch(/^REPORT RequestId/);
  });
});

describe('the idle costs of an environment', () => {
  const sumOf = (all: Readonly<Record<string, Template>>) =>
    idleCosts(Object.values(all)).reduce((sum, { usd }) => sum + usd, 0);

  it('is below the amount that the guide for operators says, of every environment', async () => {
    const guide = readFileSync(join(root, 'docs', 'operations.md'), 'utf8');
    const said = Object.fromEntries(
      [...guide.matchAll(/^\| `(\w+)` \| below ([\d.]+) \|/gm)].map(([, name, usd]) => [name, Number(usd)]),
    );
    const engines = { ENGINES: 'aws', MEDIA_BUCKET: 'media' };
    const tries = canaryCosts(shipped.prod.canary, engines).reduce((sum, { usd }) => sum + usd, 0);
    const actual = {
      dev: sumOf(templates),
      preview: sumOf(await apart('preview')),
      prod: sumOf(await apart('prod')) + tries,
    };
    for (const [name, usd] of Object.entries(actual)) {
      expect(usd, name).toBeLessThan(said[name]!);
      expect(usd, name).toBeGreaterThan(said[name]! - 2);
    }
  });

  it('increase by 7.60 dollars if the API is protected: the firewall, its two rules, a secret, and an alarm (decision 62)', async () => {
    const usd = sumOf(await everything('dev', protectedSettings)) - sumOf(templates);
    expect(usd).toBeCloseTo(7.6, 5);
    const site = idleCosts(Object.values(await apart('preview'))).find(({ what }) => what === 'secrets');
    expect(site).toEqual({ what: 'secrets', count: 1, usd: 0.4 });
  });

  it('increase with the frequency of the canary: in production they stay below twenty dollars', () => {
    const usd = (canary: { everyMinutes: number } | null) =>
      canaryCosts(canary, { ENGINES: 'aws', MEDIA_BUCKET: 'media' }).reduce((sum, line) => sum + line.usd, 0);
    expect(usd(null)).toBe(0);
    expect(usd(shipped.prod.canary)).toBeGreaterThan(usd({ everyMinutes: 60 }));
    expect(usd({ everyMinutes: 60 })).toBeGreaterThan((43_800 / 60) * 0.25 * 0.024);
    expect(usd(shipped.prod.canary)).toBeLessThan(20);
  });

  it('have a budget of the whole account, and an alarm on the costs of engines that Kinora meters', () => {
    const { Budget, MeteredCostAlarm } = templates.Ops!.Resources;
    expect(Budget!.Properties.Budget.BudgetLimit).toEqual({ Amount: 25, Unit: 'USD' });
    // Requests to Translate, Polly, Rekognition and Comprehend carry no tags.
    expect(Budget!.Properties.Budget).not.toHaveProperty('CostFilters');
    expect(MeteredCostAlarm!.Properties).toMatchObject({
      ...{ Namespace: 'Kinora/dev', MetricName: 'MeteredCost', Statistic: 'Sum' },
      ...{ Period: 6 * 3600, Threshold: 25 * 0.05 },
    });
    expect(synthesize('preview').Ops.Resources).not.toHaveProperty('MeteredCostAlarm');
    // The threshold: 80 % spent, or a forecast of 100 %.
    const toldOf = Budget!.Properties.NotificationsWithSubscribers as {
      Notification: { NotificationType: string; Threshold: number };
      Subscribers: object[];
    }[];
    expect(toldOf.map(({ Notification: told }) => [told.NotificationType, told.Threshold])).toEqual([
      ['ACTUAL', 80],
      ['FORECASTED', 100],
    ]);
    for (const { Subscribers } of toldOf)
      expect(Subscribers).toEqual([{ SubscriptionType: 'SNS', Address: { Ref: 'Alerts' } }]);
    // A change of subscribers replaces the budget (CloudFormation's reference). The new one could not have the name of
    // the old one.
    expect(Budget!.Properties.Budget).not.toHaveProperty('BudgetName');
  });

  // Cost Explorer is off in a new account, and no API enables it. Member accounts cannot monitor tags (Cost Management
  // User Guide).
  it('are watched by Cost Anomaly Detection only if the file says that the account can use it', () => {
    for (const { Resources } of [...Object.values(templates), synthesize('prod').Ops]) {
      expect(Object.values(Resources).filter(({ Type }) => Type.startsWith('AWS::CE::'))).toEqual([]);
    }
    const { CostMonitor, CostAnomalies } = synthesize('dev', { costAnomalies: true }).Ops.Resources;
    expect(CostMonitor!.Properties.MonitorType).toBe('CUSTOM');
    const watched = JSON.stringify(CostMonitor!.Properties.MonitorSpecification);
    expect(watched).toContain('LINKED_ACCOUNT');
    expect(watched).not.toContain('Tags');
    expect(CostAnomalies!.Properties.Subscribers).toEqual([{ Type: 'SNS', Address: { Ref: 'Alerts' } }]);
  });
});

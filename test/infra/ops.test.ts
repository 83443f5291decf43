import { beforeAll, describe, expect, it, vi } from 'vitest';
import { resourceNames } from '../../contract/index.ts';
import { logicalIdOf } from '../../lib/api/api-stack.ts';
import { readDefinitions, stepNames } from '../../lib/jobs/definitions.ts';
import { scheduleNames } from '../../lib/jobs/schedules.ts';
import { runbooks } from '../../lib/shared/alarms.ts';
import { httpEvent } from '../support/http-event.ts';
import { ofType, type Template } from './assembly.ts';
import { bodyOf, drawn, searches, type Widget, widgetsOf } from './dashboard.ts';
import { everything } from './site-assembly.ts';

let templates: Readonly<Record<string, Template>>;
let widgets: Widget[];
beforeAll(async () => {
  templates = await everything('dev');
  widgets = widgetsOf(templates.Ops!);
});

/** What is drawn of a metric, by the value of its dimension. */
const shownOf = (metric: string, dimension: string) =>
  drawn(widgets)
    .filter((spec) => spec[1] === metric && spec[2] === dimension)
    .map((spec) => spec[3]);

describe('the dashboard', () => {
  it('is one an environment and region, named after both: names of dashboards are of the account', () => {
    const dashboards = Object.values(templates).flatMap((template) =>
      ofType(template, 'AWS::CloudWatch::Dashboard'),
    );
    expect(dashboards.map(([, { Properties }]) => Properties.DashboardName)).toEqual([
      'kinora-dev-eu-central-1-dashboard',
    ]);
  });

  it('fits what CloudWatch takes', () => {
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

  it('lies on the page without holes or overlaps', () => {
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

  it('asks a question over every graph and names its unit, there and at the axis', () => {
    for (const { type, properties } of widgets) {
      if (type === 'text') continue;
      expect(properties.title).toMatch(type === 'alarm' ? /^.+\?/ : /^.+\?.* \((.+)\)$/);
      if (type === 'metric') expect(properties.title).toContain(`(${properties.yAxis.left.label})`);
    }
  });

  it('answers in the order in which an operator asks', () => {
    const questions = widgets
      .filter(({ type }) => type === 'text')
      .flatMap(({ properties }) => /^##? (.+)/.exec(properties.markdown)?.[1]);
    expect(questions).toEqual([
      'Kinora dev',
      'Is the API well?',
      'Are jobs well?',
      'Are webhooks delivered?',
      'Are functions throttled, slow or near their memory?',
      'Are the tables well?',
      'Is the site up?',
    ]);
  });

  it('begins with what to look at first and every runbook, linked where it is known where they are read', async () => {
    const { markdown } = widgets[0]!.properties;
    expect(markdown).toContain('Look at the alarms first');
    for (const anchor of runbooks) expect(markdown).toContain(`docs/runbooks.md#${anchor}`);
    const url = 'https://git.example/kinora/docs/runbooks.md';
    const linked = widgetsOf((await everything('dev', { runbooksUrl: url })).Ops!)[0]!.properties.markdown;
    expect(linked).toContain(`[table throttled](${url}#table-throttled)`);
  });

  it('shows every alarm of every stack, each under the name that it has', () => {
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

  it('shows executions that start, succeed, fail and run out of time, of every state machine', () => {
    const machines = readDefinitions().length;
    for (const metric of ['Started', 'Succeeded', 'Failed', 'TimedOut']) {
      const shown = shownOf(`Executions${metric}`, 'StateMachineArn');
      expect(new Set(shown).size, metric).toBe(machines);
    }
  });

  it('shows unexpected errors of every step', () => {
    const names = drawn(widgets).map(([, name]) => name);
    for (const step of [...stepNames(), ...scheduleNames()])
      expect(names).toContain(`${step}UnexpectedErrors`);
  });

  it('shows whether the sweep runs, and what it made good', () => {
    expect(scheduleNames()).toContain('Sweep');
    for (const metric of ['Runs', 'RunFailures', 'Events', 'Jobs']) {
      expect(shownOf(metric, 'Schedule'), metric).toEqual(['Sweep']);
    }
  });

  it('counts deliveries to webhooks by their machine, and requests by their step', () => {
    const begun = widgets.find(({ properties }) => properties.title?.startsWith('Are deliveries settled?'))!;
    expect(JSON.stringify(begun.properties.metrics[0])).toContain('DeliverEventMachine');
    expect(shownOf('Steps', 'Step')).toEqual(['DeliverEvent']);
    expect(stepNames()).toContain('DeliverEvent');
  });

  it('shows throttling and consumed capacity of every table, both ways', () => {
    for (const metric of [
      'ReadThrottleEvents',
      'WriteThrottleEvents',
      'ConsumedReadCapacityUnits',
      'ConsumedWriteCapacityUnits',
    ]) {
      expect(new Set(shownOf(metric, 'TableName')).size, metric).toBe(3);
    }
  });

  it('finds functions by the stacks that CloudFormation names them after', () => {
    const found = searches(widgets).filter((search) => search.includes('AWS/Lambda'));
    expect(found.length).toBeGreaterThan(0);
    for (const search of found) expect(search).toMatch(/\(FunctionName=Kinora-dev-(Api|Jobs)[ )]/);
    for (const part of ['Api', 'Jobs']) {
      for (const [id, { Properties }] of ofType(templates[part]!, 'AWS::Lambda::Function')) {
        expect(Properties.FunctionName, id).toBeUndefined();
      }
    }
  });

  it("reads every function's memory in the log that it has", () => {
    const queries = widgets.flatMap(({ properties }) => properties.query ?? []);
    const read = queries.flatMap((query) => [...query.matchAll(/SOURCE '([^']+)'/g)].map(([, name]) => name));
    const jobs = [...stepNames(), ...scheduleNames()];
    const functions = [...resourceNames.map(logicalIdOf), 'Reference', 'Fallback', ...jobs];
    expect(read.sort()).toEqual(functions.map((id) => `/kinora/dev/${id}`).sort());
    for (const group of [templates.Api!, templates.Jobs!].flatMap((part) =>
      ofType(part, 'AWS::Logs::LogGroup'),
    )) {
      const name = String(group[1].Properties.LogGroupName);
      if (name.startsWith('/kinora/')) expect(read).toContain(name);
    }
  });

  it('reads the memory in what Lambda writes after a run', () => {
    const query = widgets.find(({ type }) => type === 'log')!.properties.query as string;
    const [, pattern] = /parse @message \/(.+)\/\n/.exec(query)!;
    const line =
      'REPORT RequestId: 5f6ff\tDuration: 3.1 ms\tBilled Duration: 4 ms\tMemory Size: 512 MB\tMax Memory Used: 97 MB\t\n';
    expect(new RegExp(pattern!).exec(line)?.groups).toEqual({ memory: '512', used: '97' });
    expect(line).toMatch(/^REPORT RequestId/);
  });

  it('reads CloudFront in us-east-1, and everything else where it is', () => {
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

describe('what functions count', () => {
  interface Embedded {
    readonly _aws: {
      readonly CloudWatchMetrics: {
        readonly Namespace: string;
        readonly Dimensions: string[][];
        readonly Metrics: { readonly Name: string }[];
      }[];
    };
  }

  /** Schema and metrics of the one line with metrics that `run` logs. */
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
      schema: `{"${Namespace}",${Dimensions[0]!.join(',')}}`,
      metrics: Metrics.map(({ Name }) => Name),
    };
  }

  beforeAll(() => {
    Object.assign(process.env, { ENVIRONMENT: 'dev', AWS_REGION: 'us-east-1', ENGINES: 'local' });
  });

  it('of requests is found for every operation: by the schema alone, whatever the operation', async () => {
    const { handler } = await import('../../lambdas/languages/api/languages.ts');
    const { schema, metrics } = await counted(() =>
      (handler as unknown as (event: object, context: object) => Promise<unknown>)(
        httpEvent({ route: 'GET /v1/languages' }),
        {},
      ),
    );
    expect(metrics).toEqual(['Requests', 'Latency', 'ServerErrors']);
    const statistics = { Requests: ['Sum'], Latency: ['p50', 'p99'], ServerErrors: ['Sum'] };
    for (const [metric, wanted] of Object.entries(statistics)) {
      for (const statistic of wanted) {
        expect(searches(widgets)).toContain(`SEARCH('${schema} MetricName="${metric}"', '${statistic}')`);
      }
    }
  });

  it('of steps is found for every step', async () => {
    const { step } = await import('../../platform/kernel/step.ts');
    const run = step('AnyStep', async () => ({})) as unknown as (
      event: object,
      context: object,
    ) => Promise<unknown>;
    const { schema, metrics } = await counted(() => run({ tenant: 'acme' }, {}));
    expect(metrics).toContain('StepFailures');
    expect(metrics).toContain('Steps');
    expect(searches(widgets)).toContain(`SEARCH('${schema} MetricName="StepFailures"', 'Sum')`);
  });
});

describe('the stack of the dashboard', () => {
  it('holds the dashboard alone and refers to others weakly', () => {
    expect(Object.keys(templates.Ops!.Resources)).toEqual(['Dashboard']);
    expect(JSON.stringify(templates.Ops)).not.toContain('Fn::ImportValue');
  });

  it('leaves other stacks their room: fewer than 100 of 200 outputs', () => {
    for (const [part, { Outputs = {} }] of Object.entries(templates)) {
      expect(Object.keys(Outputs).length, part).toBeLessThan(100);
    }
  });
});

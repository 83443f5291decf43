/** The dashboard: a guide, the states of all alarms, and then a group of graphs for each question. */
import { ArnFormat, Duration, type Stack } from 'aws-cdk-lib';
import { Alarm, AlarmStatusWidget, AlarmStatusWidgetSortBy, TextWidget } from 'aws-cdk-lib/aws-cloudwatch';
import type { Table } from 'aws-cdk-lib/aws-dynamodb';
import { serverErrors } from '../api/http-api.ts';
import type { Environment } from '../environments.ts';
import { KinoraAlarm } from '../shared/alarms.ts';
import { counted, metric } from '../shared/metrics.ts';
import type { SiteStack } from '../site/site-stack.ts';
import { metricsRegion, ofDistribution, ofFunction } from '../site/site-watch-stack.ts';
import { AVAILABILITY_OBJECTIVE, failingShare, type Watched } from './alarms.ts';
import { heading, highest, PAGE_WIDTH, type Rows, row } from './graphs.ts';
import { jobRows, webhookRows } from './job-rows.ts';

export function dashboardRows(
  stack: Stack,
  environment: Environment,
  { data, jobs, api, site, siteWatch }: Watched,
): Rows {
  const alarms = [stack, ...(siteWatch ? [siteWatch] : [])].flatMap((watching) =>
    watching.node.findAll().filter((construct) => construct instanceof KinoraAlarm),
  );
  return [
    guide(environment, alarms),
    alarmStates(stack, alarms),
    ...canaryRows(environment),
    ...apiRows(environment, api.api.id),
    ...jobRows(environment, jobs),
    ...webhookRows(jobs),
    ...functionRows(api, jobs),
    ...tableRows(data.resources.tables),
    ...(site ? siteRows(site) : []),
  ];
}

function guide({ name, runbooksUrl }: Environment, alarms: readonly KinoraAlarm[]): Rows[number] {
  const anchors = [...new Set(alarms.map(({ runbook }) => runbook))];
  const links = anchors.map((anchor) => link(anchor, runbooksUrl)).join(' · ');
  const markdown = [
    `# Kinora ${name}`,
    'Look at the alarms first: the description of each names its runbook. If users complain and no alarm rings, ' +
      'read down from the API, and start at the first graph that changed when the complaints started. A deployment ' +
      'just before that is the likeliest cause: deploy the previous version. Every point covers 5 minutes.',
    `Runbooks: ${links}`,
  ].join('\n\n');
  return [new TextWidget({ markdown, width: PAGE_WIDTH, height: 4 })];
}

/** Returns a link to the runbook. Without `runbooksUrl`, returns the path in the repository, as in the texts of alarms. */
function link(anchor: string, runbooksUrl: string | undefined): string {
  const title = anchor.replaceAll('-', ' ');
  return runbooksUrl === undefined
    ? `\`docs/runbooks.md#${anchor}\``
    : `[${title}](${runbooksUrl}#${anchor})`;
}

/** Returns one widget for the states of all alarms. It can show 100 alarms (CloudWatch API Reference, Dashboard Body Structure). */
function alarmStates(scope: Stack, alarms: readonly KinoraAlarm[]): Rows[number] {
  return [
    new AlarmStatusWidget({
      title: 'Does an alarm ring?',
      alarms: alarms.map((alarm, position) =>
        Alarm.fromAlarmArn(scope, `Alarm${position}`, fixedArnOf(alarm)),
      ),
      sortBy: AlarmStatusWidgetSortBy.STATE_UPDATED_TIMESTAMP,
      width: PAGE_WIDTH,
      // High enough for the alarms that are in the state ALARM. The widget scrolls to the others.
      height: 4,
    }),
  ];
}

/** Returns the ARN from the fixed name of the alarm. A reference is not possible, because some alarms are in another region. */
const fixedArnOf = ({ stack, fixedName }: KinoraAlarm): string =>
  stack.formatArn({
    service: 'cloudwatch',
    resource: 'alarm',
    resourceName: fixedName,
    arnFormat: ArnFormat.COLON_RESOURCE_NAME,
  });

/** The stages of a run of the canary. Each has a metric `Canary<Stage>`. */
const stages = ['Create', 'Upload', 'Processing', 'Subtitles', 'Delete'];

function canaryRows(environment: Environment): Rows {
  if (!environment.canary) return [];
  return [
    heading(
      'Does the main job work?',
      `Every ${environment.canary.everyMinutes} minutes a few seconds of speech are uploaded, become subtitles and are deleted. ` +
        'Which stage failed, and why: the saved query.',
    ),
    row(
      [
        'Do tries succeed?',
        'tries',
        [
          counted(environment, 'CanarySucceeded', 'Sum', 'succeeded'),
          counted(environment, 'CanaryFailed', 'Sum', 'failed'),
        ],
      ],
      [
        'How long do its stages take?',
        'ms',
        stages.map((stage) => counted(environment, `Canary${stage}`, 'Maximum', stage)),
      ],
    ),
  ];
}

/** The graphs are sums over all operations, and saved queries find the operation. A 501 does not count as an error. */
function apiRows(environment: Environment, ApiId: string): Rows {
  const gateway = (name: string, statistic: string, label = statistic) =>
    metric(`AWS/ApiGateway ${name}`, statistic, { ApiId }, { label });
  return [
    heading(
      'Is the API well?',
      `Server errors are 5xx without 501, which operations answer until their engine is there. The objective: ${AVAILABILITY_OBJECTIVE} % ` +
        'of the requests of thirty days without one. Which operations fail or are slow: the saved queries under Logs Insights.',
    ),
    row(
      ['How many requests come?', 'requests', [gateway('Count', 'Sum', 'requests')]],
      ['How long do requests take?', 'ms', [gateway('Latency', 'p50'), gateway('Latency', 'p99')]],
      [
        'How long do our functions take?',
        'ms',
        ['p50', 'p99'].map((percentile) => counted(environment, 'Latency', percentile, percentile)),
      ],
    ),
    row(
      [
        'Which share of the requests fails?',
        '% server errors',
        [failingShare(environment, ApiId, Duration.hours(1))],
      ],
      [
        'How many requests fail?',
        'server errors',
        [
          counted(environment, serverErrors, 'Sum', 'in the access log'),
          counted(environment, 'ServerErrors', 'Sum', 'answered by functions'),
        ],
      ],
      ['How many requests are refused?', '4xx', [gateway('4xx', 'Sum', 'client errors')]],
    ),
  ];
}

/** Finds functions by the names of their stacks, because the names of functions begin with them. */
function functionRows(api: Stack, jobs: Stack): Rows {
  const found = (name: string, statistic: string, ...stacks: Stack[]) => [
    highest({ metric: name, statistic, prefixes: stacks.map(({ stackName }) => stackName) }),
  ];
  return [
    heading(
      'Are functions throttled or slow?',
      'The ten highest of each. Invocations that were throttled were not run; state machines try theirs again. Who is near its memory: a saved query.',
    ),
    row(
      ['Which functions are throttled?', 'invocations', found('Throttles', 'Sum', api, jobs)],
      ['Which API functions are slow?', 'ms, p99', found('Duration', 'p99', api)],
      ['Which steps are slow?', 'ms, p99', found('Duration', 'p99', jobs)],
    ),
    row(
      ['Which functions crash or throw?', 'errors', found('Errors', 'Sum', api, jobs)],
      ['Which functions run at once?', 'runs', found('ConcurrentExecutions', 'Maximum', api, jobs)],
      [
        'How much concurrency is used?',
        'runs in the account',
        [metric('AWS/Lambda ConcurrentExecutions', 'Maximum', {}, { label: 'running' })],
      ],
    ),
  ];
}

function tableRows(tables: Readonly<Record<string, Table>>): Rows {
  const both = (reads: string, writes: string) =>
    [
      [reads, 'reads'],
      [writes, 'writes'],
    ].flatMap(([name, suffix]) =>
      Object.entries(tables).map(([table, { tableName: TableName }]) =>
        metric(`AWS/DynamoDB ${name}`, 'Sum', { TableName }, { label: `${table} ${suffix}` }),
      ),
    );
  return [
    heading(
      'Are the tables well?',
      'They are on demand: only one hot partition or a sudden rush is throttled.',
    ),
    row(
      ['Which tables are throttled?', 'events', both('ReadThrottleEvents', 'WriteThrottleEvents')],
      [
        'How much is read and written?',
        'capacity units',
        both('ConsumedReadCapacityUnits', 'ConsumedWriteCapacityUnits'),
      ],
    ),
  ];
}

function siteRows({ distribution, functions }: SiteStack): Rows {
  const failures = Object.values(functions).flatMap((edgeFunction) => {
    const { id } = edgeFunction.node;
    return [
      ofFunction('FunctionExecutionErrors', edgeFunction, `${id} throws`),
      ofFunction('FunctionValidationErrors', edgeFunction, `${id} returns nonsense`),
      ofFunction('FunctionThrottles', edgeFunction, `${id} is throttled`),
    ];
  });
  return [
    heading('Is the site up?', `CloudFront counts in ${metricsRegion}, wherever the site's stack is.`),
    row(
      [
        'How many requests come to the site?',
        'requests',
        [ofDistribution('Requests', 'Sum', distribution, 'requests')],
      ],
      [
        'Which share of them fails?',
        '% of requests',
        [
          ofDistribution('4xxErrorRate', 'Average', distribution, '4xx'),
          ofDistribution('5xxErrorRate', 'Average', distribution, '5xx'),
        ],
      ],
      ['Do the edge functions fail?', 'runs', failures],
    ),
  ];
}

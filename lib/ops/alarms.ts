/** All alarms except those of the site, which are in us-east-1. They use sums over all functions; saved queries find the function. */
import { Duration } from 'aws-cdk-lib';
import { MathExpression, type Metric } from 'aws-cdk-lib/aws-cloudwatch';
import type { Rule } from 'aws-cdk-lib/aws-events';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import type { IStateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import { jobMachines } from '../../contract/kit/job-kinds.ts';
import type { ApiStack } from '../api/api-stack.ts';
import { serverErrors } from '../api/http-api.ts';
import type { DataStack } from '../data/data-stack.ts';
import type { Environment } from '../environments.ts';
import type { JobsStack } from '../jobs/jobs-stack.ts';
import { LEFT_TO_REQUESTS, providerPoolsOf } from '../jobs/provider-pools.ts';
import { schedules } from '../jobs/steps.ts';
import type { AlarmSpec } from '../shared/alarms.ts';
import { unexpectedErrors } from '../shared/function.ts';
import { counted, metric, period } from '../shared/metrics.ts';
import type { SiteStack } from '../site/site-stack.ts';
import type { SiteWatchStack } from '../site/site-watch-stack.ts';

export interface Watched {
  readonly data: DataStack;
  readonly jobs: JobsStack;
  readonly api: ApiStack;
  /** `site` and `siteWatch` are absent if the environment has no site. */
  readonly site?: SiteStack;
  readonly siteWatch?: SiteWatchStack;
}

/** The percentage of a quota from which an operator should ask AWS for more. */
const NEAR_QUOTA = 80;

export function alarmSpecs(environment: Environment, { api, jobs, data }: Watched): AlarmSpec[] {
  const { id: apiId } = api.api;
  return [
    ...standing(environment, apiId),
    ...providerPlacesAlarm(environment),
    ...concurrencyAlarm(environment),
    ...Object.entries(jobs.listeners).flatMap(([name, { failed, queue }]) =>
      listenerAlarms(name, failed, queue),
    ),
    ...Object.entries(jobs.machines).flatMap(([name, machine]) => failureOf(name, machine)),
    ...Object.keys(schedules).flatMap((name) => silence(name, jobs.scheduled[name]!.functionName)),
    ...canaryAlarm(environment),
    ...costAlarm(environment),
    ...Object.entries(data.resources.tables).flatMap(([name, { tableName }]) => throttling(name, tableName)),
  ];
}

const standing = (environment: Environment, apiId: string): AlarmSpec[] => [
  {
    id: 'ApiServerErrorsAlarm',
    title: 'The API answers with server errors',
    runbook: 'api-server-errors',
    metric: counted(environment, serverErrors),
    threshold: 5,
  },
  ...burnAlarms(environment, apiId),
  ...refusalsAlarm(environment, apiId),
  {
    id: 'ApiLatencyAlarm',
    title: 'One request in a hundred takes 3 s or longer',
    runbook: 'api-slow',
    metric: metric('AWS/ApiGateway Latency', 'p99', { ApiId: apiId }),
    threshold: 3000,
    periods: 3,
  },
  {
    id: 'JobWaitsAlarm',
    title: 'A job has waited for an hour and not started',
    runbook: 'job-waits',
    metric: counted(environment, 'OldestWaiting', 'Maximum'),
    // Seconds.
    threshold: 3600,
    periods: 2,
  },
  {
    id: 'ProviderErrorsAlarm',
    title: 'Steps fail because an engine or a storage that they call does not answer',
    runbook: 'provider-errors',
    metric: counted(environment, 'ProviderErrors'),
    threshold: 5,
    periods: 3,
  },
  {
    id: 'FunctionErrorsAlarm',
    title: 'A function fails',
    runbook: 'function-errors',
    metric: counted(environment, unexpectedErrors),
    threshold: 1,
  },
  {
    id: 'ThrottlesAlarm',
    title: 'Functions are throttled',
    runbook: 'function-throttled',
    // Like the quota, this counts all functions of the account in the region.
    metric: metric('AWS/Lambda Throttles', 'Sum'),
    threshold: 1,
    periods: 3,
  },
  {
    id: 'SlowStepsAlarm',
    title: 'Steps come near their time-out',
    runbook: 'function-slow',
    metric: counted(environment, 'NearTimeout'),
    threshold: 3,
    periods: 3,
  },
];

/** Rings if the API refuses almost all callers, for example after a wrong secret. Left out where developers try keys. */
function refusalsAlarm(environment: Environment, apiId: string): AlarmSpec[] {
  if (!environment.deletionProtection && !environment.protection) return [];
  return [
    {
      id: 'ApiRefusalsAlarm',
      title: `The API refuses ${REFUSED} % of all requests, of all callers together`,
      runbook: 'api-refuses-requests',
      metric: shareOf(metric('AWS/ApiGateway 4xx', 'Sum', { ApiId: apiId }), apiId, period),
      threshold: REFUSED,
      periods: 2,
    },
  ];
}

/** The objective: the percentage of requests in thirty days without a server error. */
export const AVAILABILITY_OBJECTIVE = 99.9;

/** The minimum number of requests for which the share of failures counts. One failure of ten requests is not a trend. */
const FEW = 100;

/** The percentage of refused requests (4xx) that shows a fault of the API: a lost secret, wrong keys, a route that is missing. */
const REFUSED = 80;

/**
 * Alarms if the error budget of thirty days is used up too fast: 2 % of it in an hour, or 5 % in six hours. Source: Google, The Site
 * Reliability Workbook, "Alerting on SLOs". `ApiServerErrorsAlarm` uses five minutes, so it starts and ends before these alarms.
 */
function burnAlarms(environment: Environment, apiId: string): AlarmSpec[] {
  const allowed = 100 - AVAILABILITY_OBJECTIVE;
  const windows = [
    { id: 'ApiFastBurnAlarm', hours: 1, rate: 14.4 },
    { id: 'ApiSlowBurnAlarm', hours: 6, rate: 6 },
  ];
  return windows.map(({ id, hours, rate }) => ({
    id,
    title: `In ${hours} h the API used up ${rate} times what ${AVAILABILITY_OBJECTIVE} % allows`,
    runbook: 'api-availability',
    metric: failingShare(environment, apiId, Duration.hours(hours)),
    threshold: Number((allowed * rate).toFixed(2)),
  }));
}

/** Returns the percentage of requests to API Gateway that failed, according to its access log. */
export const failingShare = (environment: Environment, apiId: string, over: Duration): MathExpression =>
  shareOf(counted(environment, serverErrors), apiId, over);

function shareOf(errors: Metric, apiId: string, over: Duration): MathExpression {
  const requests = metric('AWS/ApiGateway Count', 'Sum', { ApiId: apiId });
  return new MathExpression({
    expression: `IF(requests >= ${FEW}, 100 * FILL(errors, 0) / requests, 0)`,
    label: 'of all requests',
    period: over,
    usingMetrics: { requests, errors },
  });
}

/** Returns the alarm for used provider quotas. Empty if no provider has a quota, as on a laptop. */
function providerPlacesAlarm(environment: Environment): AlarmSpec[] {
  if (Object.keys(providerPoolsOf(environment) ?? {}).length === 0) return [];
  return [
    {
      id: 'ProviderPlacesAlarm',
      title: `Jobs have ${NEAR_QUOTA} % of the places that a provider's quota gives`,
      runbook: 'provider-near-its-quota',
      metric: counted(environment, 'ProviderPlaces', 'Maximum'),
      threshold: NEAR_QUOTA,
      periods: 3,
    },
  ];
}

/** Alarms for executions of jobs that failed or timed out, and for events that the listener did not handle. */
function listenerAlarms(name: string, { ruleName }: Rule, { queueName }: Queue): AlarmSpec[] {
  return [
    {
      id: `${name}Alarm`,
      title: 'An execution of a job failed or ran out of time',
      runbook: 'machine-failed',
      metric: metric('AWS/Events TriggeredRules', 'Sum', { RuleName: ruleName }),
      threshold: 1,
    },
    {
      id: `${name}DeadLettersAlarm`,
      title: `${name} did not receive an event, or failed`,
      runbook: 'event-undelivered',
      metric: metric('AWS/SQS ApproximateNumberOfMessagesVisible', 'Maximum', { QueueName: queueName }),
      threshold: 1,
    },
  ];
}

/** Returns an alarm for a machine that runs no jobs. For machines of jobs, `listenerAlarms` has the alarms. */
function failureOf(name: string, { stateMachineArn }: IStateMachine): AlarmSpec[] {
  if ((jobMachines as readonly string[]).includes(name)) return [];
  const ended = (end: string) =>
    metric(`AWS/States Executions${end}`, 'Sum', { StateMachineArn: stateMachineArn });
  return [
    {
      id: `${name}FailedAlarm`,
      title: `An execution of ${name} failed or ran out of time`,
      runbook: 'machine-failed',
      metric: new MathExpression({
        expression: 'FILL(failed, 0) + FILL(late, 0)',
        label: 'failed or out of time',
        period,
        usingMetrics: { failed: ended('Failed'), late: ended('TimedOut') },
      }),
      threshold: 1,
    },
  ];
}

/**
 * Returns the alarm for a high use of the concurrency, which Lambda counts for all functions of the account in the region. Empty if the
 * concurrency is not limited, as on a laptop.
 */
function concurrencyAlarm({ quotas: { lambdaConcurrency } }: Environment): AlarmSpec[] {
  if (!Number.isFinite(lambdaConcurrency)) return [];
  return [
    {
      id: 'ConcurrencyAlarm',
      title: 'Lambda runs nearly all that the account may run at once: more than its jobs use at full load',
      runbook: 'concurrency-near-its-quota',
      metric: metric('AWS/Lambda ConcurrentExecutions', 'Maximum'),
      // Jobs may use all but LEFT_TO_REQUESTS. The alarm starts when requests have used three quarters of the rest.
      threshold: Math.ceil(lambdaConcurrency * (1 - LEFT_TO_REQUESTS / 4)),
      periods: 3,
    },
  ];
}

/** Returns an alarm that starts after three missed runs of a schedule, and after 15 minutes or more. */
function silence(name: string, functionName: string): AlarmSpec[] {
  const { everyMinutes } = schedules[name]!;
  if (everyMinutes === null) return [];
  return [
    {
      id: `${name}SilentAlarm`,
      title: `${name} has not run for a while`,
      runbook: 'schedule-silent',
      metric: metric('AWS/Lambda Invocations', 'Sum', { FunctionName: functionName }),
      threshold: 1,
      below: true,
      periods: Math.max(3, Math.ceil((3 * everyMinutes) / 5)),
    },
  ];
}

/**
 * Alarms if no run succeeded within two intervals of the schedule, plus the time-out of a run. So if one run fails, the next run can
 * still succeed before the alarm.
 */
function canaryAlarm(environment: Environment): AlarmSpec[] {
  if (!environment.canary) return [];
  const { everyMinutes } = environment.canary;
  return [
    {
      id: 'CanaryAlarm',
      title: 'The main job was tried twice through the API and failed, or is not tried any more',
      runbook: 'canary',
      metric: counted(environment, 'CanarySucceeded'),
      threshold: 1,
      below: true,
      periods: Math.ceil((2 * everyMinutes + schedules.Canary!.timeout / 60) / 5),
    },
  ];
}

/** The percentage of the monthly budget that engines may cost in six hours. If they cost the same in every hour, it would be less than 1 %. */
const SPENT_FAST = 5;

/**
 * AWS Budgets reports costs hours later, at most a day. This alarm uses the costs that Kinora meters itself, by the prices of the
 * engines, so it starts within hours. Empty if the environment has no budget.
 */
function costAlarm(environment: Environment): AlarmSpec[] {
  const { monthlyBudget } = environment;
  if (monthlyBudget === undefined) return [];
  return [
    {
      id: 'MeteredCostAlarm',
      title: `In six hours, engines cost ${SPENT_FAST} % of the monthly budget`,
      runbook: 'costs',
      metric: counted(environment, 'MeteredCost').with({ period: Duration.hours(6) }),
      threshold: (monthlyBudget * SPENT_FAST) / 100,
    },
  ];
}

/** Returns an alarm for reads and one for writes. An on-demand table is throttled if one partition gets too many requests. */
function throttling(table: string, tableName: string): AlarmSpec[] {
  return ['Read', 'Write'].map((direction) => ({
    id: `${table}${direction}ThrottledAlarm`,
    title: `${direction}s of the table ${table} are throttled`,
    runbook: 'table-throttled',
    metric: metric(`AWS/DynamoDB ${direction}ThrottleEvents`, 'Sum', { TableName: tableName }),
    threshold: 1,
    periods: 2,
  }));
}

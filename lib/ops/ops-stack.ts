/** Operations: alarms with their receivers, a dashboard, saved queries, and a budget. */
import { ArnFormat, CfnOutput, Stack, type StackProps } from 'aws-cdk-lib';
import { Dashboard, PeriodOverride } from 'aws-cdk-lib/aws-cloudwatch';
import { Rule, RuleTargetInput } from 'aws-cdk-lib/aws-events';
import { SnsTopic } from 'aws-cdk-lib/aws-events-targets';
import type { CfnLogGroup } from 'aws-cdk-lib/aws-logs';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';
import { rolloutAlarmOf } from '../api/rollout.ts';
import type { Environment } from '../environments.ts';
import { schedules } from '../jobs/steps.ts';
import { schedule } from '../jobs/triggers.ts';
import { alertsTopic, KinoraAlarm } from '../shared/alarms.ts';
import { KinoraFunction } from '../shared/function.ts';
import { globalName, stableId } from '../shared/names.ts';
import { alarmSpecs, type Watched } from './alarms.ts';
import { watchCosts } from './budget.ts';
import { dashboardRows } from './dashboard.ts';
import { saveQueries } from './saved-queries.ts';

interface OpsStackProps extends StackProps, Watched {
  readonly environment: Environment;
}

export class OpsStack extends Stack {
  constructor(scope: Construct, id: string, props: OpsStackProps) {
    super(scope, id, props);
    const { environment, jobs, api } = props;
    const topic = alertsTopic(this, environment.alerts?.topicArn, environment.alerts);
    for (const spec of alarmSpecs(environment, props)) new KinoraAlarm(this, environment, topic, spec);
    if (environment.rollout === 'gradual') notifyOfRollouts(this, environment, topic);
    watchCosts(this, environment, topic);
    const canary = jobs.scheduled.Canary!;
    // The schedule is in this stack, because the canary needs the API, which is created after the function of the canary.
    if (environment.canary) schedule(this, schedules.Canary!, environment.canary.everyMinutes, canary);
    saveQueries(this, environment, {
      api: logGroupsOf(api),
      jobs: logGroupsOf(jobs),
      canary: [logGroupOf(canary)],
    });
    const dashboard = new Dashboard(this, 'Dashboard', {
      dashboardName: globalName(environment, 'dashboard'),
      start: '-PT6H',
      // The titles and thresholds are for five minutes, so each point covers five minutes in every time range.
      periodOverride: PeriodOverride.INHERIT,
      widgets: dashboardRows(this, environment, props),
    });
    stableId(dashboard, 'Dashboard');
    new CfnOutput(this, 'DashboardName', { value: dashboard.dashboardName });
  }
}

/** Sends a message to the topic when an alarm stops a rollout (CloudWatch User Guide, "Alarm events and EventBridge"). */
function notifyOfRollouts(stack: Stack, environment: Environment, topic: ITopic): void {
  const resourceName = rolloutAlarmOf(environment);
  const arnFormat = ArnFormat.COLON_RESOURCE_NAME;
  const alarm = stack.formatArn({ service: 'cloudwatch', resource: 'alarm', resourceName, arnFormat });
  const message = RuleTargetInput.fromText(
    `ALARM: ${resourceName}. Requests fail during a rollout of the API. CodeDeploy restores the previous version. See docs/runbooks.md#api-availability`,
  );
  const rule = new Rule(stack, 'RolloutStopped', {
    description: 'A rollout of the API was stopped',
    eventPattern: {
      source: ['aws.cloudwatch'],
      detailType: ['CloudWatch Alarm State Change'],
      resources: [alarm],
      detail: { state: { value: ['ALARM'] } },
    },
    targets: [new SnsTopic(topic, { message })],
  });
  stableId(rule, 'RolloutStopped');
}

/** Returns the names of log groups as plain text. References would need an output of the other stack for each function. */
function logGroupsOf(stack: Stack): string[] {
  const functions = stack.node.findAll().filter((construct) => construct instanceof KinoraFunction);
  return functions.map(logGroupOf);
}

const logGroupOf = ({ logGroup }: KinoraFunction): string =>
  (logGroup.node.defaultChild as CfnLogGroup).logGroupName!;

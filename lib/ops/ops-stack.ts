/** Operations: alarms and their receivers, one dashboard, saved queries, a budget. */
import { CfnOutput, Stack, type StackProps } from 'aws-cdk-lib';
import { Dashboard, PeriodOverride } from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';
import type { Environment } from '../environments.ts';
import { schedule } from '../jobs/schedule.ts';
import { schedules } from '../jobs/steps.ts';
import { alarm } from '../shared/alarms.ts';
import { alertsTopic } from '../shared/alerts.ts';
import { globalName } from '../shared/global-name.ts';
import { stableId } from '../shared/logical-id.ts';
import { alarmStates } from './alarm-states.ts';
import { alarmSpecs } from './alarms.ts';
import { apiRows } from './api.ts';
import { watchCosts } from './budget.ts';
import { canaryRows } from './canary.ts';
import { functionRows } from './functions.ts';
import { guide } from './guide.ts';
import { jobRows } from './jobs.ts';
import { logGroupOf, logGroupsOf } from './log-groups.ts';
import { saveQueries } from './saved-queries.ts';
import { siteRows } from './site.ts';
import { tableRows } from './tables.ts';
import type { Watched } from './watched.ts';
import { webhookRows } from './webhooks.ts';

export interface OpsStackProps extends StackProps, Watched {
  readonly environment: Environment;
}

export class OpsStack extends Stack {
  constructor(scope: Construct, id: string, props: OpsStackProps) {
    super(scope, id, props);
    const { environment, data, jobs, api, site, siteWatch } = props;
    const topic = alertsTopic(this, environment.alerts?.topicArn, environment.alerts);
    for (const spec of alarmSpecs(environment, props)) alarm(this, environment, topic, spec);
    watchCosts(this, environment, topic);
    const canary = jobs.scheduled.Canary!;
    // The schedule is here and not beside its function, because the canary needs the API, which comes before this
    // stack.
    if (environment.canary) schedule(this, schedules.Canary!, environment.canary.everyMinutes, canary);
    saveQueries(this, environment, {
      api: logGroupsOf(api),
      jobs: logGroupsOf(jobs),
      canary: [logGroupOf(canary)],
    });
    const dashboard = new Dashboard(this, 'Dashboard', {
      dashboardName: globalName(environment, 'dashboard'),
      start: '-PT6H',
      // Titles and thresholds are for five minutes, so points stay at five minutes for any time range.
      periodOverride: PeriodOverride.INHERIT,
      widgets: [
        ...guide(environment),
        ...alarmStates(this, siteWatch ? [this, siteWatch] : [this]),
        ...canaryRows(environment),
        ...apiRows(environment, api.api.id),
        ...jobRows(environment, jobs),
        ...webhookRows(jobs),
        ...functionRows(api, jobs),
        ...tableRows(data.resources.tables),
        ...(site ? siteRows(site) : []),
      ],
    });
    stableId(dashboard, 'Dashboard');
    new CfnOutput(this, 'DashboardName', { value: dashboard.dashboardName });
  }
}

/** One dashboard an environment: what an operator asks, top down on one page. */
import { CfnOutput, Stack, type StackProps } from 'aws-cdk-lib';
import { Dashboard, PeriodOverride } from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';
import type { ApiStack } from '../api/api-stack.ts';
import type { DataStack } from '../data/data-stack.ts';
import type { Environment } from '../environments.ts';
import type { JobsStack } from '../jobs/jobs-stack.ts';
import { globalName } from '../shared/global-name.ts';
import { stableId } from '../shared/logical-id.ts';
import type { SiteStack } from '../site/site-stack.ts';
import type { SiteWatchStack } from '../site/site-watch-stack.ts';
import { alarmStates } from './alarm-states.ts';
import { apiRows } from './api.ts';
import { functionRows } from './functions.ts';
import { guide } from './guide.ts';
import { jobRows } from './jobs.ts';
import { siteRows } from './site.ts';
import { tableRows } from './tables.ts';
import { webhookRows } from './webhooks.ts';

export interface OpsStackProps extends StackProps {
  readonly environment: Environment;
  readonly data: DataStack;
  readonly jobs: JobsStack;
  readonly api: ApiStack;
  /** Both absent where there is no site. */
  readonly site?: SiteStack;
  readonly siteWatch?: SiteWatchStack;
}

export class OpsStack extends Stack {
  constructor(scope: Construct, id: string, props: OpsStackProps) {
    super(scope, id, props);
    const { environment, data, jobs, api, site, siteWatch } = props;
    const alarmed = { API: api, Jobs: jobs, Data: data, ...(siteWatch && { Site: siteWatch }) };
    const dashboard = new Dashboard(this, 'Dashboard', {
      dashboardName: globalName(environment, 'dashboard'),
      start: '-PT6H',
      // Titles and thresholds speak of five minutes, whatever span is shown.
      periodOverride: PeriodOverride.INHERIT,
      widgets: [
        ...guide(environment),
        ...alarmStates(this, alarmed),
        ...apiRows(environment, api.api.id),
        ...jobRows(environment, jobs.machines),
        ...webhookRows(environment, jobs.machines),
        ...functionRows(api, jobs),
        ...tableRows(data.resources.tables),
        ...(site ? siteRows(site) : []),
      ],
    });
    stableId(dashboard, 'Dashboard');
    new CfnOutput(this, 'DashboardName', { value: dashboard.dashboardName });
  }
}

/**
 * Watches the site from us-east-1: its alarms and the delivery of its access log. CloudFront's metrics exist only
 * there, and an alarm watches only metrics of its region.
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/Cross-Account-Cross-Region.html
 */
import { CrossStackReferences, ReferenceStrength, Stack, type StackProps } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import type { Environment } from '../environments.ts';
import { type AlarmSpec, alarm } from '../shared/alarms.ts';
import { alertsTopic } from '../shared/alerts.ts';
import { metric } from '../shared/metrics.ts';
import { deliverAccessLog } from './access-log.ts';
import { metricsRegion, ofDistribution, ofFunction } from './metrics.ts';
import type { SiteStack } from './site-stack.ts';

export interface SiteWatchStackProps extends StackProps {
  readonly environment: Environment;
  /** The stack of the site. It has an explicit region, which a reference from another region needs. */
  readonly site: SiteStack;
}

export class SiteWatchStack extends Stack {
  constructor(scope: Construct, id: string, { environment, site, ...props }: SiteWatchStackProps) {
    super(scope, id, { ...props, env: { ...props.env, region: metricsRegion } });
    // Exports do not leave their region.
    CrossStackReferences.of(this).consume(ReferenceStrength.WEAK);
    const topic = alertsTopic(this, environment.alerts?.siteTopicArn, environment.alerts);
    for (const spec of alarmsOf(site)) alarm(this, named(environment), topic, spec);
    deliverAccessLog(this, environment, site);
  }
}

function alarmsOf({ distribution, functions }: SiteStack): AlarmSpec[] {
  return [
    {
      id: 'SiteServerErrorsAlarm',
      title: 'The site answers 5 % of all requests with server errors',
      runbook: 'site-server-errors',
      metric: metric(ofDistribution('5xxErrorRate', 'Average', distribution)),
      threshold: 5,
      // On a quiet site, one failure is far more than 5 %.
      periods: 2,
    },
    ...Object.values(functions).flatMap((edgeFunction): AlarmSpec[] => [
      {
        id: `${edgeFunction.node.id}ErrorsAlarm`,
        title: `The edge function ${edgeFunction.node.id} throws`,
        runbook: 'site-function-errors',
        metric: metric(ofFunction('FunctionExecutionErrors', edgeFunction)),
        threshold: 1,
      },
      {
        id: `${edgeFunction.node.id}InvalidAlarm`,
        title: `The edge function ${edgeFunction.node.id} returns what CloudFront refuses`,
        runbook: 'site-function-errors',
        metric: metric(ofFunction('FunctionValidationErrors', edgeFunction)),
        threshold: 1,
      },
    ]),
  ];
}

/** Alarms of the sites of all regions are here, so their names include the region. */
const named = (environment: Environment): Environment => ({
  ...environment,
  name: `${environment.name}-${environment.region}`,
});

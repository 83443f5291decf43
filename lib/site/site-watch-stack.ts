/**
 * Watches the site from us-east-1: its alarms, and the delivery of its access log. CloudFront's metrics exist only there, and an
 * alarm can use only metrics of its region.
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/Cross-Account-Cross-Region.html
 */
import { CrossStackReferences, ReferenceStrength, Stack, type StackProps } from 'aws-cdk-lib';
import type { Function as EdgeFunction, IDistribution } from 'aws-cdk-lib/aws-cloudfront';
import type { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { CfnDelivery, CfnDeliveryDestination, CfnDeliverySource } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { globalRegion } from '../environment-checks.ts';
import type { Environment } from '../environments.ts';
import { type AlarmSpec, alertsTopic, KinoraAlarm } from '../shared/alarms.ts';
import { metric } from '../shared/metrics.ts';
import { globalName, stableId } from '../shared/names.ts';
import type { SiteStack } from './site-stack.ts';

export const metricsRegion = globalRegion;

/** `Requests` as a sum; `4xxErrorRate` and `5xxErrorRate` in percent, as an average. */
export const ofDistribution = (
  name: string,
  statistic: 'Sum' | 'Average',
  { distributionId: DistributionId }: IDistribution,
  label?: string,
): Metric => ofCloudFront(name, statistic, { DistributionId }, label);

/** The metrics `FunctionExecutionErrors`, `FunctionValidationErrors` and `FunctionThrottles`, as sums. */
export const ofFunction = (
  name: string,
  { functionName: FunctionName }: EdgeFunction,
  label?: string,
): Metric => ofCloudFront(name, 'Sum', { FunctionName }, label);

/** https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/programming-cloudwatch-metrics.html */
function ofCloudFront(name: string, statistic: string, of: Record<string, string>, label?: string): Metric {
  const options = { region: metricsRegion, ...(label && { label }) };
  return metric(`AWS/CloudFront ${name}`, statistic, { ...of, Region: 'Global' }, options);
}

interface SiteWatchStackProps extends StackProps {
  readonly environment: Environment;
  /** The stack of the site. Its region must be explicit, because this stack refers to it from another region. */
  readonly site: SiteStack;
}

export class SiteWatchStack extends Stack {
  constructor(scope: Construct, id: string, { environment, site, ...props }: SiteWatchStackProps) {
    super(scope, id, { ...props, env: { ...props.env, region: metricsRegion } });
    // Other regions cannot use exports, so references are weak.
    CrossStackReferences.of(this).consume(ReferenceStrength.WEAK);
    const topic = alertsTopic(this, environment.alerts?.siteTopicArn, environment.alerts);
    for (const spec of alarmsOf(site)) new KinoraAlarm(this, named(environment), topic, spec);
    deliverAccessLog(this, environment, site);
  }
}

function alarmsOf({ distribution, functions }: SiteStack): AlarmSpec[] {
  return [
    {
      id: 'SiteServerErrorsAlarm',
      title: 'The site answers 5 % of all requests with server errors',
      runbook: 'site-server-errors',
      metric: ofDistribution('5xxErrorRate', 'Average', distribution),
      threshold: 5,
      // Two periods, because on a quiet site one failure is far more than 5 %.
      periods: 2,
    },
    ...Object.values(functions).flatMap((edgeFunction): AlarmSpec[] => [
      {
        id: `${edgeFunction.node.id}ErrorsAlarm`,
        title: `The edge function ${edgeFunction.node.id} throws`,
        runbook: 'site-function-errors',
        metric: ofFunction('FunctionExecutionErrors', edgeFunction),
        threshold: 1,
      },
      {
        id: `${edgeFunction.node.id}InvalidAlarm`,
        title: `The edge function ${edgeFunction.node.id} returns what CloudFront refuses`,
        runbook: 'site-function-errors',
        metric: ofFunction('FunctionValidationErrors', edgeFunction),
        threshold: 1,
      },
    ]),
  ];
}

/** Returns the environment with its region in the name, because alarms of the sites in all regions are here. */
const named = (environment: Environment): Environment => ({
  ...environment,
  name: `${environment.name}-${environment.region}`,
});

/**
 * The fields that the privacy policy lists and operators need. Cookies and queries are not included, because both may contain the
 * token that gives access to a site.
 */
export const accessLogFields = [
  'date',
  'time',
  'x-edge-location',
  'sc-bytes',
  'c-ip',
  'cs-method',
  'cs(Host)',
  'cs-uri-stem',
  'sc-status',
  'cs(Referer)',
  'cs(User-Agent)',
  'x-edge-result-type',
  'x-edge-response-result-type',
  'x-edge-detailed-result-type',
  'x-edge-request-id',
  'cs-protocol',
  'time-taken',
];

/**
 * Delivers CloudFront's access log to the log bucket of the site. Standard logging v2 needs no ACL, so it works in
 * every region. It is configured in us-east-1, wherever the bucket is (CloudFront Developer Guide, "Configure standard
 * logging (v2)").
 */
function deliverAccessLog(scope: Construct, environment: Environment, site: SiteStack): void {
  const { account, partition } = Stack.of(scope);
  const name = globalName(environment, 'site');
  const source = stableId(
    new CfnDeliverySource(scope, 'AccessLogSource', {
      name,
      logType: 'ACCESS_LOGS',
      resourceArn: `arn:${partition}:cloudfront::${account}:distribution/${site.distribution.distributionId}`,
    }),
    'AccessLogSource',
  );
  const destination = stableId(
    new CfnDeliveryDestination(scope, 'AccessLogDestination', {
      name,
      destinationResourceArn: site.logsArn,
      outputFormat: 'w3c',
    }),
    'AccessLogDestination',
  );
  const delivery = new CfnDelivery(scope, 'AccessLogDelivery', {
    deliverySourceName: name,
    deliveryDestinationArn: destination.attrArn,
    recordFields: accessLogFields,
    s3SuffixPath: '{DistributionId}/{yyyy}/{MM}/{dd}',
  });
  stableId(delivery, 'AccessLogDelivery').addResourceDependency(source);
}

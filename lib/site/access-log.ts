/**
 * Delivers CloudFront's access log to the log bucket of the site. Standard logging v2 needs no ACL, so it works in
 * every region. It is configured in us-east-1, wherever the bucket is (CloudFront Developer Guide, "Configure standard
 * logging (v2)").
 */
import { Stack } from 'aws-cdk-lib';
import { CfnDelivery, CfnDeliveryDestination, CfnDeliverySource } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import type { Environment } from '../environments.ts';
import { globalName } from '../shared/global-name.ts';
import { stableId } from '../shared/logical-id.ts';
import type { SiteStack } from './site-stack.ts';

/**
 * The fields that the privacy policy names and operators need. No cookies or queries: both may hold the token that
 * opens a site.
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

export function deliverAccessLog(scope: Construct, environment: Environment, site: SiteStack): void {
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

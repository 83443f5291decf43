/**
 * CloudFront's metrics of the site. They exist only in us-east-1.
 * https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/programming-cloudwatch-metrics.html
 */
import type { Function as EdgeFunction, IDistribution } from 'aws-cdk-lib/aws-cloudfront';

export const metricsRegion = 'us-east-1';

const namespace = 'AWS/CloudFront';

/** `Requests` as a sum; `4xxErrorRate` and `5xxErrorRate` in percent, as an average. */
export const ofDistribution = (name: string, statistic: 'Sum' | 'Average', distribution: IDistribution) => ({
  namespace,
  name,
  statistic,
  dimensions: { DistributionId: distribution.distributionId, Region: 'Global' },
});

/** `FunctionExecutionErrors`, `FunctionValidationErrors`, `FunctionThrottles`: sums. */
export const ofFunction = (name: string, { functionName }: EdgeFunction) => ({
  namespace,
  name,
  statistic: 'Sum',
  dimensions: { FunctionName: functionName, Region: 'Global' },
});

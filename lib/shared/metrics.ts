/** Metrics over five minutes, and the namespace of Kinora's own metrics. */
import { Duration } from 'aws-cdk-lib';
import { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import type { Environment } from '../environments.ts';

/** Returns the namespace of the metrics that Kinora publishes. It contains the name of the environment, because an account may have several. */
export const namespaceOf = ({ name }: Pick<Environment, 'name'>): string => `Kinora/${name}`;

export const period = Duration.minutes(5);

interface MetricOptions {
  readonly label?: string;
  /** Default: the region of the dashboard. */
  readonly region?: string;
}

/** @param source the namespace and the name of the metric: `AWS/Lambda Throttles` */
export function metric(
  source: string,
  statistic: string,
  dimensionsMap: Record<string, string> = {},
  options: MetricOptions = {},
): Metric {
  const [namespace = '', metricName = ''] = source.split(' ');
  return new Metric({ namespace, metricName, statistic, period, dimensionsMap, ...options });
}

/** Returns one of Kinora's own metrics: a sum over all functions, without dimensions. */
export const counted = (
  environment: Pick<Environment, 'name'>,
  name: string,
  statistic = 'Sum',
  label?: string,
): Metric => metric(`${namespaceOf(environment)} ${name}`, statistic, {}, label ? { label } : {});
